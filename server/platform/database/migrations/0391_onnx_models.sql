-- Embedding models in ONNX beside static ones, and how they are to be asked (server/modules/models/local).
alter table local_models
  add column kind text check (kind in ('static', 'onnx')),
  add column question_prefix text not null default '' check (char_length(question_prefix) <= 200),
  add column passage_prefix text not null default '' check (char_length(passage_prefix) <= 200),
  add column pooling text not null default 'mean' check (pooling in ('mean', 'first'));
update local_models set kind = 'static' where state = 'ready';
