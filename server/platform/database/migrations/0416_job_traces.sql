-- The span that scheduled the job, as W3C's traceparent, where traces are exported; null: the job begins a trace.
alter table jobs add column trace text;
