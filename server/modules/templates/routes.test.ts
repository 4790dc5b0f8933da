import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { createChatbot, listChatbots } from '../../contracts/chatbots'
import { exportFlow, listFlows } from '../../contracts/flows'
import { listTests, runTests } from '../../contracts/recordings'
import { listTemplates, readTemplate, takeTemplate } from '../../contracts/templates'

let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register()
})
afterAll(() => server.close())

const fromTemplate = (template: string, name = 'From a template') =>
  ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name, template } })

test('templates are listed with what a gallery shows, for everybody alike', async () => {
  const eve = await server.register()
  const { templates } = await ada.call(listTemplates)
  expect((await eve.call(listTemplates)).templates).toEqual(templates)
  const quiz = templates.find(({ slug }) => slug === 'quiz')
  expect(quiz).toMatchObject({ title: 'Quiz with a score', category: 'engagement', blocks: 30, tests: 2 })
  const { width, height, groups, edges } = quiz?.sketch ?? { width: 0, height: 0, groups: [], edges: [] }
  expect(groups).toHaveLength(20)
  for (const { x, y, ...group } of groups) {
    expect(x >= 0 && y >= 0 && x + group.width <= width && y + group.height <= height, group.title).toBe(true)
  }
  expect(edges.every(({ from, to }) => Math.max(from.x, to.x) <= width)).toBe(true)
})

test('what is said of them comes in the interface’s language, names of variables and groups as the flow has them', async () => {
  const { templates } = await ada.call(listTemplates, { query: { language: 'de' } })
  expect(templates.find(({ slug }) => slug === 'quiz')).toMatchObject({
    title: 'Quiz mit Punkten',
    tags: ['Punkte', 'Ausdrücke', 'Spiel'],
  })
  expect(templates.map(({ title }) => title)).toEqual(
    templates.map(({ title }) => title).sort((a, b) => a.localeCompare(b, 'de')),
  )
  const quoted = (text: string) => [...text.matchAll(/[“„]([^“”„]+)[”“]/g)].map(([, name]) => name ?? '').sort()
  for (const { slug } of templates) {
    const [{ template: english }, { template: german }] = await Promise.all([
      ada.call(readTemplate, { params: { slug } }),
      ada.call(readTemplate, { params: { slug }, query: { language: 'de' } }),
    ])
    expect(german.title, slug).not.toBe(english.title)
    expect(german.tags, slug).toHaveLength(english.tags.length)
    // what is quoted is looked up in the flow
    const places = ['Data sources', 'Datenquellen', 'Integrationen']
    const named = (steps: readonly string[]) =>
      steps.map((step) => quoted(step).filter((name) => !places.includes(name)))
    expect(named(german.setup), slug).toEqual(named(english.setup))
  }
})

test('one is read with its conversation and what is left to do', async () => {
  const { template } = await ada.call(readTemplate, { params: { slug: 'employee-onboarding' } })
  expect(template.flows).toEqual(['New colleague'])
  expect(template.setup[0]).toContain('Company')
  expect(template.conversation.slice(0, 4)).toEqual([
    { from: 'bot', text: expect.stringContaining('Welcome to Bluebird') },
    { from: 'bot', text: expect.stringContaining('given name') },
    { from: 'visitor', text: 'Ada' },
    { from: 'bot', text: expect.stringContaining('email address') },
  ])
  // a choice is shown by its label
  expect(template.conversation).toContainEqual({ from: 'visitor', text: 'A Linux laptop' })
  expect((await ada.send('GET', '/api/templates/no-such-thing')).status).toBe(404)
})

test('a chatbot made of a template has its flows and tests under ids of its own, and the tests pass', async () => {
  const made = [await fromTemplate('employee-onboarding', 'One'), await fromTemplate('employee-onboarding', 'Two')]
  const ids = new Set<string>()
  for (const { chatbot, imported } of made) {
    expect(imported).toBeUndefined()
    const params = { pgid: ada.pgid, cgid: chatbot.gid }
    const { flows } = await ada.call(listFlows, { params })
    expect(flows.map(({ title }) => title)).toEqual(['Main flow', 'New colleague'])
    expect(flows[0]?.enters).toEqual([flows[1]?.gid])
    for (const { gid } of flows) ids.add(gid)
    const { tests } = await ada.call(listTests, { params })
    expect(tests).toHaveLength(3)
    const { results } = await ada.call(runTests, { params })
    expect(results.map(({ difference }) => difference)).toEqual([null, null, null])
  }
  expect(ids.size).toBe(4)
})

test('a template that does not exist makes no chatbot; nor does one together with a file', async () => {
  const before = (await ada.call(listChatbots, { params: { pgid: ada.pgid } })).chatbots.length
  const path = `/api/projects/${ada.pgid}/chatbots`
  for (const body of [
    { name: 'None', template: 'no-such-thing' },
    { name: 'None', template: '../quiz' },
    { name: 'Both', template: 'quiz', source: '{}' },
  ]) {
    expect(await ada.send('POST', path, body)).toMatchObject({
      status: 422,
      body: { data: { fields: { template: expect.any(String) } } },
    })
  }
  expect((await ada.call(listChatbots, { params: { pgid: ada.pgid } })).chatbots).toHaveLength(before)
})

test('what goes into an open flow enters flows that the chatbot has got, and the draft is left to the editor', async () => {
  const { chatbot } = await ada.call(createChatbot, { params: { pgid: ada.pgid }, body: { name: 'Open' } })
  const params = { pgid: ada.pgid, cgid: chatbot.gid }
  const draft = () => ada.call(exportFlow, { params: { ...params, fid: chatbot.fid } })
  const before = (await draft()).groups
  const { flow } = await ada.call(takeTemplate, { params, body: { template: 'employee-onboarding' } })
  const { flows } = await ada.call(listFlows, { params })
  expect(flows.map(({ title }) => title)).toEqual(['Main flow', 'New colleague'])
  const goTo = flow.groups.flatMap(({ blocks }) => blocks).find(({ kind }) => kind === 'go-to')
  expect(goTo?.data.flowId).toBe(flows[1]?.gid)
  expect((await draft()).groups).toEqual(before)
})
