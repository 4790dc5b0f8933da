-- A project's events in the order of the log: programs read them page by page (server/modules/webhooks/log.ts).
create index events_of_project_in_order on events (project_id, epoch, tx, id);
