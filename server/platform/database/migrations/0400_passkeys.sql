-- Keys of people's devices that log them in without a password (WebAuthn). They count at the host of PUBLIC_URL.
create table passkeys (
  id bigint generated always as identity primary key,
  gid text not null unique,
  user_id bigint not null references users (id) on delete cascade,
  -- the device's own name of the key, in base64url: 1,023 bytes at most by the specification
  credential_id text not null unique check (length(credential_id) between 1 and 1400),
  -- COSE
  public_key bytea not null check (length(public_key) <= 4000),
  -- how often the device says that it has signed; 0: it does not count
  counter bigint not null,
  -- how a browser reaches the device, so that it does not offer to add it twice
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 75),
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- What devices are asked to sign. Of one browser and one purpose, and deleted when it is answered.
create table passkey_challenges (
  -- sha256
  challenge_hash bytea primary key,
  -- sha256 of the cookie's token
  browser_hash bytea not null,
  -- who adds a passkey; null: a log-in
  user_id bigint references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_user on passkey_challenges (user_id);
create index passkey_challenges_expires on passkey_challenges (expires_at);
