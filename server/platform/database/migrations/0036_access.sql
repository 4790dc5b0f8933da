-- Browsers that an account has logged in with before: the wait after wrong passwords from anywhere doesn't hold for them.
create table known_devices (
  -- sha256 of the cookie's token
  token_hash bytea not null,
  user_id bigint not null references users (id) on delete cascade,
  used_at timestamptz not null,
  primary key (user_id, token_hash)
);

-- Addresses that wait for the link in their mail to be opened: only then is it known whose they are, and an account is made.
create table registrations (
  -- sha256 of the token in its link
  token_hash bytea primary key,
  -- lower case
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index registrations_expire on registrations (expires_at);

-- A key acts as a member of its project, so it ends with the membership, however that ends.
delete from api_keys as key
  where not exists (select from project_members as m where m.project_id = key.project_id and m.user_id = key.user_id);
alter table api_keys add constraint api_keys_member
  foreign key (project_id, user_id) references project_members (project_id, user_id) on delete cascade;
create index api_keys_member on api_keys (project_id, user_id);
