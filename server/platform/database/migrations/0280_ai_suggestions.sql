-- whether the nearest questions are offered where nothing answers; blocks that exist stay as they are
alter table chatbots add column ai_suggestions boolean not null default true;
