-- A flow asked for a person: when, which team, and what it says to them.
alter table conversations
  add column handed_over_at timestamptz,
  add column hand_off_team text,
  add column hand_off_note text;
