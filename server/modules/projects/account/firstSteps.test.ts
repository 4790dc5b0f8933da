import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember } from '../../../../tests/support/collab'
import { refusing } from '../../../../tests/support/refusing'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { dashboard } from '../../../contracts/account'
import { createChatbot, deleteChatbot } from '../../../contracts/chatbots'
import { answerSurvey, COUNTED_FROM, updateStart, voteFeature } from '../../../contracts/firstSteps'
import { deleteAccount, readAccountData } from '../../../contracts/profile'

const DAY = 24 * 60 * 60_000
let server: TestServer
let now = new Date('2030-01-01T00:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ clock: () => now })
})
afterAll(() => server.close())

test('the welcome survey is answered once, and its answers are told to their person alone', async () => {
  const ada = await server.register()
  const bob = await server.register()
  await addMember(server, ada.pgid, bob, [Role.OWNER])
  const identified = async (person: typeof ada) =>
    (await person.call(dashboard, { body: {} })).user.account.ph_identified
  const before = (await ada.call(dashboard, { body: {} })).user.settings
  expect(before).toMatchObject({ onboarding_displayed: false, onboarding_survey_completed: false })
  const answers = { purpose: 'appointments', team: 'few' } as const
  const after = await ada.call(answerSurvey, { body: { answers } })
  expect(after).toMatchObject({ onboarding_displayed: true, onboarding_survey_completed: true })
  expect([await identified(ada), await identified(bob)]).toEqual([true, false])
  // skipped in a window that was still open
  await ada.call(answerSurvey, { body: { answers: null } })
  expect(await ada.call(readAccountData)).toMatchObject({ survey: answers, feature_vote: null })
  const seen = [
    await ada.call(dashboard, { body: { pgid: ada.pgid } }),
    await bob.call(dashboard, { body: { pgid: ada.pgid } }),
    await bob.call(readAccountData),
  ]
  for (const answer of seen) expect(JSON.stringify(answer)).not.toContain('"appointments"')
})

test('a survey that was skipped is not asked again, and keeps nothing', async () => {
  const ada = await server.register()
  const settings = await ada.call(answerSurvey, { body: { answers: null } })
  expect(settings).toMatchObject({ onboarding_displayed: true, onboarding_survey_completed: false })
  expect((await ada.call(readAccountData)).survey).toBeNull()
  for (const answers of [{ purpose: 'world domination' }, { purpose: 'leads', more: 1 }, 'leads', undefined])
    expect((await ada.send('POST', '/api/user/onboarding-survey', { answers })).status).toBe(422)
})

test('the answers go with the account', async () => {
  const ada = await server.register()
  await ada.call(answerSurvey, { body: { answers: { role: 'developer' } } })
  await ada.call(deleteAccount, { body: { current: ada.password } })
  const rows = await server.context.db.selectFrom('user_settings').select('survey').execute()
  expect(rows.filter(({ survey }) => survey?.role === 'developer')).toEqual([])
})

test('what should be built next is asked after a week, once, and counted only where a count tells of nobody', async () => {
  const ada = await server.register()
  const asked = async () => (await ada.call(dashboard, { body: {} })).user.settings.show_feature_vote_1
  expect(await asked()).toBe(false)
  now = new Date(now.getTime() + 7 * DAY - 1)
  expect(await asked()).toBe(false)
  now = new Date(now.getTime() + 1)
  expect(await asked()).toBe(true)
  const first = await ada.call(voteFeature, { body: { choice: 'voice' } })
  expect(first).toMatchObject({ settings: { show_feature_vote_1: false }, votes: null })
  expect(await asked()).toBe(false)
  expect((await ada.call(readAccountData)).feature_vote).toBe('voice')
  const others = await Promise.all(Array.from({ length: COUNTED_FROM - 1 }, () => server.register()))
  const votes = []
  for (const other of others) votes.push((await other.call(voteFeature, { body: { choice: 'channels' } })).votes)
  expect(votes.slice(0, -1)).toEqual(Array(COUNTED_FROM - 2).fill(null))
  expect(votes.at(-1)).toContainEqual({ choice: 'channels', count: COUNTED_FROM - 1 })
  // put away: no vote, and none taken back
  await ada.call(voteFeature, { body: { choice: null } })
  expect((await ada.call(readAccountData)).feature_vote).toBe('voice')
})

test('the chatbot that is opened first is one that the account sees, and none once it is deleted', async () => {
  const ada = await server.register()
  const eve = await server.register()
  const name = 'Shop'
  const { gid: cgid } = (await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name } })).chatbot
  expect((await eve.send('POST', '/api/user/update/start', { default_chatbot_id: cgid })).status).toBe(404)
  await addMember(server, ada.pgid, eve, [Role.BILLING])
  expect((await eve.send('POST', '/api/user/update/start', { default_chatbot_id: cgid })).status).toBe(404)
  expect(await ada.call(updateStart, { body: { default_chatbot_id: cgid } })).toMatchObject({
    default_chatbot_id: cgid,
  })
  // left out: unchanged
  const hidden = await ada.call(updateStart, { body: { hide_onboarding_checklist: true } })
  expect(hidden).toMatchObject({ default_chatbot_id: cgid, hide_onboarding_checklist: true })
  expect(await ada.call(updateStart, { body: { default_chatbot_id: null } })).toMatchObject({
    default_chatbot_id: null,
  })
  await ada.call(updateStart, { body: { default_chatbot_id: cgid } })
  await ada.call(deleteChatbot, { params: { pgid: ada.pgid, cgid }, body: { name } })
  expect((await ada.call(dashboard, { body: {} })).user.settings.default_chatbot_id).toBeNull()
})

test('what one person answers and hides is nobody else’s, and is told only once it is kept', async () => {
  const [ada, bob] = [await server.register(), await server.register()]
  const ofBob = async () => (await bob.call(dashboard, { body: {} })).user.settings
  const before = await ofBob()
  await ada.call(answerSurvey, { body: { answers: { role: 'developer' } } })
  await ada.call(updateStart, { body: { hide_onboarding_checklist: true } })
  expect(await ofBob()).toEqual(before)
  const refused = await refusing(server.context.db, 'user_settings', async () => [
    (await bob.send(answerSurvey.method, answerSurvey.path, { answers: null })).status,
    (await bob.send(updateStart.method, updateStart.path, { hide_onboarding_checklist: true })).status,
  ])
  expect(refused).toEqual([500, 500])
  expect(await ofBob()).toEqual(before)
})
