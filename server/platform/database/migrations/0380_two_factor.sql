-- Codes of an app besides the password (RFC 6238). Until it is confirmed by a code it is being set up.
create table two_factors (
  user_id bigint primary key references users (id) on delete cascade,
  sealed_secret text not null check (length(sealed_secret) <= 400),
  -- null: being set up
  confirmed_at timestamptz,
  -- the time step of the last code that was taken, so that none is taken twice
  last_step bigint not null default 0,
  created_at timestamptz not null
);
create table recovery_codes (
  user_id bigint not null references two_factors (user_id) on delete cascade,
  -- sha256
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Log-ins with the right password that wait for the code. Of a browser, by a cookie that opens nothing else.
create table begun_logins (
  -- sha256 of the cookie's token
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- that the password was checked against: a new password ends what was begun with the old one
  password_hash text not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index begun_logins_user on begun_logins (user_id);
create index begun_logins_expires on begun_logins (expires_at);

-- By what the session was opened besides a password; null: by nothing.
alter table sessions add column second_factor text check (second_factor in ('code', 'recovery', 'passkey', 'sso'));
