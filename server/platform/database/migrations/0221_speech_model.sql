-- The model of a project's own OpenAI-compatible server that turns speech into text (server/modules/models/transcribe.ts).
alter table ai_connections add column speech_model text;
