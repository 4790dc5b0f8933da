-- Evidence has other numbers since: what was measured of it says nothing any more, and is measured anew as soon as jobs run.
insert into jobs (project_id, kind, key, payload, run_at, created_at)
select project_id, 'calibrate-knowledge', id::text, json_build_object('chatbot', id::text), to_timestamp(0), now()
from chatbots
where knowledge_calibration is not null
on conflict (kind, key) do nothing;
update chatbots set knowledge_calibration = null where knowledge_calibration is not null;
