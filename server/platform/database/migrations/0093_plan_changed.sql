-- A project's plan decides what its visitors see, and whoever changes it may do so here: the event is written with the change.
create function write_plan_changed() returns trigger language plpgsql as $$
begin
  insert into events (project_id, type, version, actor, correlation, payload, at)
  values (new.id, 'plan.changed', 0, 'system', 'plan of ' || new.gid, jsonb_build_object('plan', new.plan_id), now());
  return null;
end
$$;
create trigger plan_changed after update of plan_id on projects
  for each row when (old.plan_id is distinct from new.plan_id) execute function write_plan_changed();
