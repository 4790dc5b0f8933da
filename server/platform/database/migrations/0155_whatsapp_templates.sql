-- Templates of a number's account at WhatsApp, as WhatsApp has them (server/modules/whatsapp/templates.ts).
create table whatsapp_templates (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  connection_id bigint not null,
  name text not null,
  language text not null,
  category text not null,
  -- APPROVED, PENDING, REJECTED, PAUSED, and what else WhatsApp says
  status text not null,
  quality text not null,
  -- why it was rejected, and what to do
  reason text,
  components json not null,
  -- by WhatsApp's clock: what it says later counts, in whatever order it comes
  status_at timestamptz not null,
  unique (connection_id, name, language),
  foreign key (connection_id, project_id) references whatsapp_connections (id, project_id) on delete cascade
);
create index whatsapp_templates_project on whatsapp_templates (project_id);
