-- Links by which somebody at WhatsApp goes on on the web: the conversation is the one at WhatsApp then, and it is used by the page that
-- opened the link (server/modules/whatsapp/toWeb.ts).
alter table whatsapp_continuations add column to_web boolean not null default false;
