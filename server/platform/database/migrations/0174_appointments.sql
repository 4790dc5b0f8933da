-- Agents book times themselves: a kind of action, and that the visitor was asked before.
alter table agent_actions drop constraint agent_actions_kind_check;
alter table agent_actions add constraint agent_actions_kind_check check (
  kind in ('buttons', 'lead-form', 'http-request', 'send-email', 'booking', 'appointment', 'hand-off')
);
alter table agent_action_uses drop constraint agent_action_uses_state_check;
alter table agent_action_uses add constraint agent_action_uses_state_check check (
  state in ('running', 'done', 'failed', 'asked')
);
