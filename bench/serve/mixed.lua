-- Half decisions, half feedback: each connection sends a decision of 20 named features, then its
-- bit. Statuses other than 200 are counted.
local counter, waiting = 0, {}
local headers = { ["Content-Type"] = "application/json" }

function setup(thread)
  thread:set("number", number or 1)
  number = (number or 1) + 1
end

function init(args)
  math.randomseed(number)
  refused = 0
end

function request()
  local id = table.remove(waiting)
  if id then
    local bit = math.random() < 0.5 and "true" or "false"
    return wrk.format("POST", "/v1/agents/bench/feedback", headers,
      '{"id":"' .. id .. '","correct":' .. bit .. '}')
  end
  counter = counter + 1
  local parts = {}
  for n = 1, 20 do
    parts[n] = string.format('"feature_%d":%.3f', (n * 37 + counter * 7) % 1000, math.random())
  end
  return wrk.format("POST", "/v1/agents/bench/decisions", headers,
    '{"x":{' .. table.concat(parts, ",") .. "}}")
end

function response(status, _, body)
  if status ~= 200 then
    refused = refused + 1
  end
  local id = body:match('"id":"(%x+)","label"')
  if id then
    waiting[#waiting + 1] = id
  end
end

function done(summary, latency)
  io.write(string.format(
    '{"requests": %d, "seconds": %.3f, "p50_ms": %.3f, "p99_ms": %.3f, "errors": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
