"""A small web on 127.0.0.1: serves files from memory, knows Range, and may break off."""

import contextlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Web:
    """What is served, what was asked for, and after how many bytes an answer breaks off."""

    def __init__(self, url):
        self.url = url
        self.files, self.asked, self.breaks, self.resumes = {}, [], {}, True


@contextlib.contextmanager
def serving():
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.strip("/")
            wanted = self.headers.get("Range")
            web.asked.append((name, wanted))
            if name not in web.files:
                self.send_error(404)
                return
            content, first = web.files[name], 0
            if wanted and web.resumes:
                first = int(wanted.removeprefix("bytes=").rstrip("-"))
                if first >= len(content):
                    self.send_error(416)
                    return
            self.send_response(206 if first else 200)
            self.send_header("Content-Length", str(len(content) - first))
            self.end_headers()
            self.wfile.write(content[first : web.breaks.pop(name, len(content))])

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    web = Web(f"http://127.0.0.1:{server.server_address[1]}/")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
