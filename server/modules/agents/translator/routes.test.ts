import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelServer, refuse, startModelServer } from '../../../../tests/support/modelServer'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { createChatbot } from '../../../contracts/chatbots'
import { readTranslator, translateTexts } from '../../../contracts/translations'

let models: ModelServer
let server: TestServer
let owner: Registered
let params: { pgid: string; cgid: string }

beforeAll(async () => {
  models = await startModelServer()
  server = await startTestServer({ config: { ai: models.settings } })
  owner = await server.register()
  const { pgid } = owner
  const { chatbot } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Shop' } })
  params = { pgid, cgid: chatbot.gid }
})
afterAll(() => Promise.all([server.close(), models.close()]))

const used = async () => {
  const rows = await server.context.db.selectFrom('credit_uses').select(['credit', 'amount']).execute()
  return rows
    .filter(({ credit }) => credit === 'ai_message_credits')
    .reduce((sum, { amount }) => sum + Number(amount), 0)
}
const send = (texts: string[]) =>
  owner.send('POST', `/api/projects/${params.pgid}/chatbots/${params.cgid}/translator`, {
    from: 'en',
    to: 'pt-br',
    texts,
  })
const ask = (texts: string[]) => owner.call(translateTexts, { params, body: { from: 'en', to: 'pt-br', texts } })

test('the chatbot’s model translates, and a reply’s credits are paid for one question', async () => {
  const { model } = await owner.call(readTranslator, { params })
  expect(model).not.toBeNull()
  models.answers(JSON.stringify({ text_1: 'Olá {{Name}}', text_2: 'Chá' }))
  const answer = await ask(['Hi {{Name}}', '<b>Tea</b>'])
  expect(answer).toEqual({ texts: ['Olá {{Name}}', null], credits: model?.credits })
  expect(await used()).toBe(model?.credits)
})

test('a model that fails is said, and costs nothing', async () => {
  const before = await used()
  models.answers(refuse(401, 'no'))
  expect(await send(['Hi'])).toMatchObject({ status: 503 })
  expect(await used()).toBe(before)
})

test('more than a model is asked at once is refused', async () => {
  expect(await send(Array.from({ length: 21 }, () => 'Hi'))).toMatchObject({ status: 422 })
  expect(await send(['x'.repeat(13_000), 'y'.repeat(13_000)])).toMatchObject({ status: 422 })
})
