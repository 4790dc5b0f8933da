-- What a person at WhatsApp wants to be sent: after a word such as STOP no templates, and marketing only once they agreed.
alter table whatsapp_people
  add column stopped_at timestamptz,
  -- the word that they wrote
  add column stopped_by text,
  add column agreed_at timestamptz,
  -- what they agreed to, as the flow says
  add column agreed_to text;
