-- The interface's words in tables too: evaluations, and what a turn received.
alter table golden_questions rename to evaluation_questions;
alter table golden_runs rename to evaluation_runs;
alter table golden_results rename to evaluation_results;
alter table turn_records rename column heard to received;
update jobs set kind = 'evaluation-run' where kind = 'golden-run';
