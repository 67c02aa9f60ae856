"""Tables: what each column is, and one encoder that turns its fields into features.

A field is text, whatever it came from: a CSV file, Parquet, a data frame, a dict. `survey` and
`kinds` find out what a column is, `building` makes an `Encoder` of it, and the encoder turns
records into rows. It is plain data: it is kept in snapshots, and nothing in it is executed.
"""
