-- What a question was kept with from a conversation: what was said before it, and what actions answered then. Null: it stands alone.
alter table golden_questions add column kept json;
