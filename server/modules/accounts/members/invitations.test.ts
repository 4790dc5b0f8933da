import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../../tests/support/client'
import { type MailServer, startMailServer } from '../../../../tests/support/mailServer'
import { inviteMember, tokenOf } from '../../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { dashboard } from '../../../contracts/account'
import { acceptAsNew, acceptInvitation, lookAtInvitation } from '../../../contracts/invitations'
import { listMails, readMail } from '../../../contracts/mails'
import { inviteMembers, listMembers, resendInvitation, revokeInvitation } from '../../../contracts/members'
import { listProjects, renameProject } from '../../../contracts/projects'

const DAY = 24 * 60 * 60 * 1000
let mails: MailServer
let server: TestServer
let now = new Date('2030-01-01T00:00:00Z')
beforeAll(async () => {
  mails = await startMailServer()
  const mailFrom = { name: 'Parley', address: 'bot@example.com' }
  server = await startTestServer({
    clock: () => now,
    config: { smtpUrl: `smtp://127.0.0.1:${mails.port}`, mailFrom, registration: 'open' },
  })
})
afterAll(() => Promise.all([server.close(), mails.close()]))
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

type RoleNumber = 1 | 2 | 3 | 4 | 5 | 6
const paramsOf = (owner: Registered, gid = '') => ({ pgid: owner.pgid, gid })
async function invite(owner: Registered, email: string, roles: RoleNumber[] = [6], pgid = owner.pgid) {
  const { invited } = await owner.call(inviteMembers, { params: { pgid }, body: { emails: [email], roles } })
  const [sent] = invited
  if (!sent) throw new Error('nobody was invited')
  return { ...sent, token: tokenOf(sent.link) }
}
const look = async (token: string) => (await server.guest()).call(lookAtInvitation, { body: { token } })
const newcomer = { first_name: 'Grace', last_name: 'Hopper', password: 'nanoseconds' }
let people = 0
const unknownEmail = () => `newcomer${++people}@example.org`

test('a mail brings the link by which somebody new makes an account and is in, with a seat taken all along', async () => {
  const ada = await server.register()
  const email = unknownEmail()
  const { link, mail, invitation } = await invite(ada, email.toUpperCase(), [6, 4])
  expect({ mail, invitation }).toMatchObject({
    mail: 'sent',
    invitation: { email, roles: [4, 6], invited_by: `Ada ${ada.user.last_name}`, expired: false },
  })
  const received = mails.mails.at(-1)
  expect(mails.envelopes.at(-1)?.to).toEqual([email])
  expect(received?.subject).toBe(`Ada ${ada.user.last_name} invited you to My project`)
  expect(received?.text).toContain('Analyst, Viewer')
  expect(received?.text).toContain('January 8, 2030')
  expect(received?.text).toContain(link)
  expect((await ada.call(listMembers, { params: { pgid: ada.pgid } })).seats.used).toBe(2)
  expect((await ada.call(dashboard, { body: {} })).user.usage.seats.used).toBe(2)

  const token = tokenOf(link)
  expect(await look(token)).toEqual({
    state: 'open',
    member_of: null,
    invitation: {
      project: 'My project',
      invited_by: `Ada ${ada.user.last_name}`,
      email,
      roles: [4, 6],
      expires_at: '2030-01-08T00:00:00.000Z',
      has_account: false,
    },
    logged_in_as: null,
  })
  const guest = await server.guest()
  const before = guest.cookies.get('parley_session')
  const { pgid, user } = await guest.call(acceptAsNew, { body: { token, ...newcomer } })
  expect({ pgid, email: user.email }).toEqual({ pgid: ada.pgid, email })
  expect(guest.cookies.get('parley_session')).not.toBe(before)
  // an invited person gets no project of their own besides
  expect((await guest.call(listProjects)).projects).toMatchObject([{ gid: ada.pgid, roles: [4, 6], default: true }])
  expect((await guest.call(dashboard, { body: {} })).user.account.emailed_verified).toBe(true)
  const list = await ada.call(listMembers, { params: { pgid: ada.pgid } })
  expect([list.seats.used, list.invitations, list.members.length]).toEqual([2, [], 2])
})

test('an account that is there accepts by one click, when it is logged in and the invitation is for it', async () => {
  const ada = await server.register()
  const bob = await server.register()
  const eve = await server.register()
  const { token } = await invite(ada, bob.user.email.toUpperCase())
  expect((await look(token)).invitation?.has_account).toBe(true)
  expect((await eve.call(lookAtInvitation, { body: { token } })).logged_in_as).toBe(eve.user.email)
  expect(await eve.send('POST', '/api/invitations/accept', { token })).toMatchObject({
    status: 403,
    body: {
      data: `This invitation is for ${bob.user.email}, and you are logged in as ${eve.user.email}. Log out to accept it.`,
    },
  })
  expect((await (await server.guest()).send('POST', '/api/invitations/accept', { token })).status).toBe(401)
  const asNew = await (await server.guest()).send('POST', '/api/invitations/accept-as-new', { token, ...newcomer })
  expect(asNew).toMatchObject({ status: 422, body: { data: { fields: { email: expect.any(String) } } } })
  expect(await bob.call(acceptInvitation, { body: { token } })).toEqual({ pgid: ada.pgid })
  expect((await bob.call(listProjects)).projects.map(({ gid, roles }) => [gid, roles])).toEqual([
    [bob.pgid, [1]],
    [ada.pgid, [6]],
  ])
})

test('a closed installation takes who was invited, and nobody else', async () => {
  const closed = await startTestServer({ config: { registration: 'closed' } })
  const ada = await closed.register()
  const { invited } = await ada.call(inviteMembers, {
    params: { pgid: ada.pgid },
    body: { emails: ['grace@example.org'], roles: [3] },
  })
  const guest = await closed.guest()
  expect((await guest.send('POST', '/api/auth/register', { ...newcomer, email: 'grace@example.org' })).status).toBe(403)
  await guest.call(acceptAsNew, { body: { token: tokenOf(invited[0]?.link ?? ''), ...newcomer } })
  expect((await guest.call(listProjects)).projects).toHaveLength(1)
  await closed.close()
})

test('a used invitation that is opened by who is in the project names it, and nobody else learns of it', async () => {
  const [ada, bob, eve] = [await server.register(), await server.register(), await server.register()]
  const { token } = await invite(ada, bob.user.email)
  const seenBy = (person: TestClient) => person.call(lookAtInvitation, { body: { token } })
  expect(await seenBy(bob)).toMatchObject({ state: 'open', member_of: null })
  await bob.call(acceptInvitation, { body: { token } })
  expect(await seenBy(bob)).toMatchObject({ state: 'accepted', member_of: ada.pgid })
  expect(await seenBy(ada)).toMatchObject({ state: 'accepted', member_of: ada.pgid })
  expect(await seenBy(eve)).toMatchObject({ state: 'accepted', member_of: null })
  expect(await seenBy(await server.guest())).toMatchObject({ state: 'accepted', member_of: null })
})

test('a link works once, also for two who use it at the same moment', async () => {
  const ada = await server.register()
  const { token } = await invite(ada, unknownEmail())
  const guests = await Promise.all([server.guest(), server.guest(), server.guest()])
  const body = { token, ...newcomer }
  const answers = await Promise.all(guests.map((guest) => guest.send('POST', '/api/invitations/accept-as-new', body)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await look(token)).state).toBe('accepted')
  const again = await (await server.guest()).send('POST', '/api/invitations/accept-as-new', body)
  expect(again).toMatchObject({
    status: 409,
    body: { data: 'This invitation was accepted already. Log in to see the project.' },
  })
  const bob = await server.register()
  const own = await invite(ada, bob.user.email)
  const twice = await Promise.all(
    [1, 2, 3].map(() => bob.send('POST', '/api/invitations/accept', { token: own.token })),
  )
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test('a link lives seven days, gives back its seat when it is past, and can be renewed', async () => {
  const ada = await server.register()
  const bob = await server.register()
  const { token, invitation } = await invite(ada, bob.user.email)
  later(7 * DAY - 1)
  expect((await look(token)).state).toBe('open')
  later(1)
  expect((await look(token)).state).toBe('expired')
  expect(await bob.send('POST', '/api/invitations/accept', { token })).toMatchObject({
    status: 409,
    body: { data: 'This invitation has expired. Ask for a new one.' },
  })
  const list = await ada.call(listMembers, { params: { pgid: ada.pgid } })
  expect([list.seats.used, list.invitations[0]?.expired]).toEqual([1, true])
  const renewed = await ada.call(resendInvitation, { params: paramsOf(ada, invitation.gid) })
  expect(renewed.invitation).toMatchObject({
    expired: false,
    expires_at: new Date(now.getTime() + 7 * DAY).toISOString(),
  })
  await bob.call(acceptInvitation, { body: { token: tokenOf(renewed.link) } })
})

test('sending again makes a new link and kills the one before; one address has one open invitation', async () => {
  const ada = await server.register()
  const email = unknownEmail()
  const { token, invitation } = await invite(ada, email)
  const path = `/api/projects/${ada.pgid}/invitations`
  expect(await ada.send('POST', path, { emails: [email], roles: [6] })).toMatchObject({
    status: 422,
    body: { data: { fields: { 'emails.0': `${email} has an open invitation already: send it again or revoke it` } } },
  })
  const before = mails.mails.length
  const again = await ada.call(resendInvitation, { params: paramsOf(ada, invitation.gid) })
  expect(mails.mails.length - before).toBe(1)
  expect(mails.mails.at(-1)?.text).toContain(again.link)
  expect(await look(token)).toMatchObject({ state: 'unknown', invitation: null })
  expect((await look(tokenOf(again.link))).state).toBe('open')
  later(7 * DAY)
  // an expired one is replaced by a new one
  await invite(ada, email, [3])
  const { invitations } = await ada.call(listMembers, { params: { pgid: ada.pgid } })
  expect(invitations.map(({ roles }) => roles)).toEqual([[3]])
})

test('two who invite the same address at once make one invitation', async () => {
  const ada = await server.register()
  const admin = await inviteMember(server, ada, 2)
  const body = { emails: [unknownEmail()], roles: [6] }
  const answers = await Promise.all(
    [ada, admin, ada, admin].map((who) => who.send('POST', `/api/projects/${ada.pgid}/invitations`, body)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
})

test('what is revoked lets nobody in', async () => {
  const ada = await server.register()
  const { token, invitation } = await invite(ada, unknownEmail())
  await ada.call(revokeInvitation, { params: paramsOf(ada, invitation.gid) })
  expect((await look(token)).state).toBe('revoked')
  const guest = await server.guest()
  expect(await guest.send('POST', '/api/invitations/accept-as-new', { token, ...newcomer })).toMatchObject({
    status: 409,
    body: { data: 'This invitation was withdrawn. Ask for a new one.' },
  })
  for (const [method, path] of [
    ['DELETE', `/api/projects/${ada.pgid}/invitations/${invitation.gid}`],
    ['POST', `/api/projects/${ada.pgid}/invitations/${invitation.gid}/resend`],
  ] as const) {
    expect((await ada.send(method, path, {})).status).toBe(404)
  }
})

test('several are invited at once, each once, or nobody when one of them is wrong', async () => {
  const ada = await server.register()
  const [one, two] = [unknownEmail(), unknownEmail()]
  const path = `/api/projects/${ada.pgid}/invitations`
  const wrong = await ada.send('POST', path, { emails: [one, 'two at example', ada.user.email], roles: [6] })
  expect(wrong).toMatchObject({
    status: 422,
    body: {
      data: {
        fields: {
          'emails.1': '“two at example” is no email address: correct it or leave it out',
          'emails.2': `${ada.user.email} is a member already: change the roles in the list of members`,
        },
      },
    },
  })
  const params = { pgid: ada.pgid }
  expect((await ada.call(listMembers, { params })).invitations).toEqual([])
  const body = { emails: [one, ` ${two} `, one.toUpperCase()], roles: [3, 5] as RoleNumber[] }
  const { invited } = await ada.call(inviteMembers, { params, body })
  expect(invited.map(({ invitation }) => invitation.email)).toEqual([one, two])
  expect((await ada.send('POST', path, { emails: Array.from({ length: 21 }, unknownEmail), roles: [6] })).status).toBe(
    422,
  )
  expect((await ada.send('POST', path, { emails: [unknownEmail()], roles: [] })).status).toBe(422)
  expect((await ada.send('POST', path, { emails: [unknownEmail()], roles: [7] })).status).toBe(422)
})

test('an account invites a hundred people in a minute, however they are put into calls', async () => {
  const ada = await server.register()
  const path = `/api/projects/${ada.pgid}/invitations`
  // none is sent, since one of each call is no address
  const invited = async (count: number) => {
    const emails = [...Array.from({ length: count - 1 }, unknownEmail), 'nobody@']
    return (await ada.send('POST', path, { emails, roles: [6] })).status
  }
  const statuses = []
  for (let call = 0; call < 5; call++) statuses.push(await invited(20))
  expect(statuses).toEqual([422, 422, 422, 422, 422])
  expect(await invited(1)).toBe(429)
})

test('the seats of the plan count members and open invitations, and of many who want the last seat one gets it', async () => {
  const ada = await server.register()
  const plan = (plan_id: string) =>
    server.context.db.updateTable('projects').set({ plan_id }).where('gid', '=', ada.pgid).execute()
  const path = `/api/projects/${ada.pgid}/invitations`
  await plan('free')
  expect(await ada.send('POST', path, { emails: [unknownEmail()], roles: [6] })).toMatchObject({
    status: 403,
    body: {
      code: 'plan_limit',
      data: 'The Free plan has 1 seat, and 1 member takes 1. Upgrade the plan, remove a member or revoke an invitation to invite somebody.',
    },
  })
  await plan('starter')
  const { invitation } = await invite(ada, unknownEmail())
  expect(await ada.send('POST', path, { emails: [unknownEmail(), unknownEmail()], roles: [6] })).toMatchObject({
    status: 403,
    body: {
      data: 'The Starter plan has 3 seats, and 1 member and 1 open invitation take 2. Upgrade the plan, remove a member or revoke an invitation to invite 2 people.',
    },
  })
  const rush = await Promise.all(
    [1, 2, 3, 4].map(() => ada.send('POST', path, { emails: [unknownEmail()], roles: [6] })),
  )
  expect(rush.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
  // an expired one has released its seat, and needs one to be sent again
  later(8 * DAY)
  await invite(ada, unknownEmail())
  await invite(ada, unknownEmail())
  expect((await ada.send('POST', `${path}/${invitation.gid}/resend`, {})).status).toBe(403)
})

test('who finds no seat is told how many members and open invitations take them', async () => {
  const ada = await server.register()
  await server.context.db.updateTable('projects').set({ plan_id: 'starter' }).where('gid', '=', ada.pgid).execute()
  await inviteMember(server, ada, 3)
  await invite(ada, unknownEmail())
  const path = `/api/projects/${ada.pgid}/invitations`
  expect(await ada.send('POST', path, { emails: [unknownEmail()], roles: [6] })).toMatchObject({
    status: 403,
    body: {
      data: 'The Starter plan has 3 seats, and 2 members and 1 open invitation take 3. Upgrade the plan, remove a member or revoke an invitation to invite somebody.',
    },
  })
})

test('an admin can neither renew nor revoke an invitation to the owner role, nor read its link in the outbox', async () => {
  const ada = await server.register()
  const admin = await inviteMember(server, ada, 2)
  const { invitation, token } = await invite(ada, unknownEmail(), [1])
  const path = `/api/projects/${ada.pgid}/invitations/${invitation.gid}`
  expect((await admin.send('POST', `${path}/resend`, {})).status).toBe(403)
  expect((await admin.send('DELETE', path, {})).status).toBe(403)
  const params = { pgid: ada.pgid }
  const [newest] = (await admin.call(listMails, { params })).mails
  expect(newest).toMatchObject({ purpose: 'invitation', to: [invitation.email], status: 'sent' })
  const { mail } = await admin.call(readMail, { params: { ...params, mgid: newest?.gid ?? '' } })
  expect(mail.text).toContain('The link is only in the email itself')
  expect(`${mail.html}${mail.text}`).not.toContain(token)
  const rows = await server.context.db.selectFrom('mails').select(['html', 'body']).execute()
  expect(rows.filter(({ html, body }) => `${html}${body}`.includes('accept-invite'))).toEqual([])
})

test('the database holds no token, and names bring no headers', async () => {
  const ada = await server.register({ first_name: 'Ada\r\nBcc: eve@example.org', email: 'headers@example.com' })
  await ada.call(renameProject, { params: { pgid: ada.pgid }, body: { name: 'My\r\nproject' } })
  const { token } = await invite(ada, unknownEmail())
  const stored = await server.context.db.selectFrom('invitations').selectAll().execute()
  expect(stored.some(({ token_hash }) => token_hash.includes(token))).toBe(false)
  expect(mails.envelopes.at(-1)?.to).toHaveLength(1)
  const [headers = ''] = mails.sources.at(-1)?.split('\r\n\r\n') ?? []
  expect(headers).toMatch(/^To: /m)
  expect(headers).not.toMatch(/^Bcc:/im)
  expect(mails.mails.at(-1)?.subject).toContain('invited you to My project')
})

test('without a mail server the link is there to be passed on', async () => {
  const alone = await startTestServer()
  const ada = await alone.register()
  const { invited } = await ada.call(inviteMembers, {
    params: { pgid: ada.pgid },
    body: { emails: ['grace@example.org'], roles: [6] },
  })
  expect(invited).toMatchObject([{ mail: 'outbox', link: expect.stringContaining('/accept-invite?token=') }])
  await alone.close()
})
