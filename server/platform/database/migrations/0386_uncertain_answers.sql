-- What was said under "this may help", which an editor confirms or mends; null: the answer was certain, or there was none.
alter table asked_questions add column said text check (length(said) <= 1000);
