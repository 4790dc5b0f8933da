import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainRichText } from '../../engine/values/richText'
import { flowAround } from '../../tests/support/conversations'
import { type MailServer, refusal, startMailServer } from '../../tests/support/mailServer'
import { insertPublishedFlow } from '../../tests/support/publishedFlow'
import { startTestServer, type TestServer } from '../../tests/support/server'
import { Role } from '../api/roles'
import { createHost } from '../host/createHost'
import { createMailer } from '../mail/createMailer'
import { createSmtp } from '../mail/smtp'
import { createHandOffService } from './service'

const NOW = new Date('2026-11-21T10:00:00Z')
let server: TestServer
let mails: MailServer
const refused = new Set<string>()
beforeAll(async () => {
  mails = await startMailServer({
    onRcptTo: ({ address }, _session, done) => (refused.has(address) ? done(refusal(550, 'Gone')) : done()),
  })
  server = await startTestServer({ clock: () => NOW })
})
afterAll(() => Promise.all([server.close(), mails.close()]))

/** A flow that hands over, in a project whose members have those roles; gives the service and what stands in the conversation. */
async function handOver(members: number[][], key = '1:0') {
  // jobs belong to a context, and the server's own host has those of its context
  const context = { ...server.context }
  const { db } = context
  const data = {
    team: { type: 'static', value: 'Sales' },
    note: { type: 'static', value: 'VIP <b>' },
    message: plainRichText(''),
  }
  const flow = await insertPublishedFlow(db, flowAround('hand-off', data))
  const emails: string[] = []
  for (const roles of members) {
    const person = await server.register()
    const { id } = await db.selectFrom('users').select('id').where('gid', '=', person.user.ui).executeTakeFirstOrThrow()
    await db
      .insertInto('project_members')
      .values({ project_id: flow.projectId, user_id: id, roles, created_at: NOW })
      .execute()
    emails.push(person.user.email)
  }
  const address = `smtp://127.0.0.1:${mails.port}`
  const deliver = createSmtp({ ...context.config, smtpUrl: address })
  const service = createHandOffService(context, createMailer(context, { deliver, wait: async () => undefined }))
  const host = createHost(context, { 'hand-off': service })
  const { ref } = await host.start({ ...flow, environment: 'sharing', clientId: `start-${key}`, startedBy: null })
  await host.close()
  const row = () => db.selectFrom('conversations').selectAll().where('gid', '=', ref.gid).executeTakeFirstOrThrow()
  return { emails, service, gid: ref.gid, row }
}

const real = { environment: 'sharing', writes: 'real' } as const

it('mails everybody who may answer visitors, and nobody else, and marks the conversation', async () => {
  const { emails, row } = await handOver([[Role.OWNER], [Role.EDITOR], [Role.ANALYST, Role.VIEWER], [Role.BILLING]])
  const told = mails.envelopes.splice(0).flatMap(({ to }) => to)
  expect(told.sort()).toEqual([emails[0], emails[2]].sort())
  const [mail] = mails.mails.splice(0)
  expect(mail?.subject).toBe('A visitor of Bot is waiting for a person')
  expect(mail?.text).toContain('VIP <b>')
  expect(mail?.html).toContain('VIP &lt;b&gt;')
  expect(await row()).toMatchObject({ handed_over_at: NOW, hand_off_team: 'Sales', hand_off_note: 'VIP <b>' })
})

it('the same key tells nobody twice', async () => {
  const { service, gid } = await handOver([[Role.ADMIN]])
  const before = mails.mails.length
  const again = () => service.carryOut({ team: '', note: '' }, { ...real, key: `${gid}.again` })
  expect(await again()).toEqual({ ok: true, notified: 1 })
  expect(await again()).toEqual({ ok: true, notified: 1 })
  expect(mails.mails.length - before).toBe(1)
})

it('nobody is available where nobody may answer, or nobody could be told', async () => {
  const none = await handOver([[Role.EDITOR]])
  expect(await none.service.carryOut({ team: '', note: '' }, { ...real, key: `${none.gid}.x` })).toEqual({
    ok: false,
    error: 'nobody-available',
  })
  expect(await none.row()).toMatchObject({ handed_over_at: null, hand_off_team: null })

  const { service, gid, emails } = await handOver([[Role.OWNER], [Role.ADMIN]])
  refused.add(emails[0] ?? '')
  expect(await service.carryOut({ team: '', note: '' }, { ...real, key: `${gid}.x` })).toEqual({
    ok: true,
    notified: 1,
  })
  refused.add(emails[1] ?? '')
  expect(await service.carryOut({ team: '', note: '' }, { ...real, key: `${gid}.y` })).toEqual({
    ok: false,
    error: 'nobody-available',
  })
})
