-- Keys of devices that log a person in without a password (WebAuthn).
create table passkeys (
  gid text primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- the device's own name of it, base64url
  credential_id text not null unique check (length(credential_id) <= 1400),
  public_key bytea not null,
  -- of devices that count; 0: it does not
  counter bigint not null default 0,
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 75),
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- What a device was asked to sign: taken once, by the browser that asked.
create table passkey_challenges (
  -- sha256 of the cookie's token
  token_hash bytea primary key,
  challenge text not null,
  -- who adds a passkey; null: a log-in
  user_id bigint references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_user on passkey_challenges (user_id);
create index passkey_challenges_expires on passkey_challenges (expires_at);
