-- What a project bought besides its plan, by the add-on's id: {"5": 1}.
alter table projects add column addons jsonb not null default '{}'
  check (jsonb_typeof(addons) = 'object');
