import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { addFaq, listSources } from '../../server/contracts/sources'
import { expectAccessible, settled } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** A chatbot is set up, asked, put right, told what to be, and measured; each test goes on from the one before. */
let server: TestServer
let browser: TestBrowser
let ada: Registered
let home: string
let params: { pgid: string; cgid: string }

const entries = [
  {
    question: 'How long can I return a lamp?',
    answer: 'You can return a lamp within 30 days of delivery, free of charge. Keep the box for it.',
    phrasings: ['Can I send a lamp back?'],
  },
  {
    question: 'Do you repair lamps?',
    answer: 'Our workshop in Lyon repairs every lamp that we have sold, mostly within two weeks.',
    phrasings: [],
  },
  {
    question: 'Which bulbs fit the Aurora desk lamp?',
    answer: 'The Aurora desk lamp takes E14 bulbs of at most 40 watts.',
    phrasings: [],
  },
]

beforeAll(async () => {
  ensureBuilt()
  ;[server, browser] = await Promise.all([startTestServer(), launchBrowser({ colorScheme: 'light' })])
  server.context.jobs.start()
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  const { pgid, cgid } = await makeChatbot(ada)
  params = { pgid, cgid }
  home = `${server.url}/projects/${pgid}/chatbots/${cgid}`
  await browser.context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(() => Promise.all([browser?.close(), server?.close()]))

/** Pictures to look at, for who asks for them: as wide as a desk and as a phone, light and dark. */
async function shots(name: string): Promise<void> {
  if (!process.env.SHOTS) return
  const { page } = browser
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const [size, width, height] of [
      ['wide', 1440, 900],
      ['phone', 390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await settled(page)
      await page.screenshot({ path: join(process.env.SHOTS, `${name}-${size}-${colorScheme}.png`) })
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

const ask = async (question: string) => {
  const field = browser.page.getByRole('textbox', { name: 'Question', exact: true })
  await field.fill(question)
  await field.press('Enter')
}
const conversation = (name = 'Conversation') => browser.page.getByRole('region', { name, exact: true })
/** The newest question with its answer, once that is there. */
const answered = async (name?: string) => {
  const last = conversation(name).getByRole('listitem').filter({ hasText: 'You:' }).last()
  await last.getByRole('button', { name: 'Why this answer', exact: true }).waitFor()
  return last
}

it('says what is missing before it answers, and the way there', async () => {
  const { page } = browser
  await page.goto(`${home}/playground`)
  await page.getByText('Please complete the following to setup the chatbot', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Add at least one data source', exact: true }).waitFor()
  await shots('gate')
  await page.getByRole('link', { name: 'Enter basic details in Chatbot Settings > General', exact: true }).click()
  const details = page
    .locator('form')
    .filter({ has: page.getByRole('heading', { name: 'Basic details', exact: true }) })
  await details.getByLabel('Business name').fill('Lamps & Co')
  await details.getByLabel('Business description').fill('Family shop for lamps in Lyon')
  await details.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Changes saved.', { exact: true }).waitFor()
  await page.goto(`${home}/playground`)
  await page
    .getByText('You need to add at least one data source before you can test the chatbot.', { exact: true })
    .waitFor()

  for (const body of entries) await ada.call(addFaq, { params, body })
  const training = async () => (await ada.call(listSources, { params, query: { offset: 0, limit: 50 } })).training
  await expect.poll(async () => (await training()).by_status.ready).toBe(entries.length)
})

it('answers with its sources, and says when it does not know', async () => {
  const { page } = browser
  await page.goto(`${home}/playground`)
  await ask('How many days do I have to return a lamp?')
  const known = await answered()
  await known.getByText(/30 days/).waitFor()
  await known.getByRole('list', { name: 'Sources' }).getByRole('button').first().click()
  const passage = page.getByRole('dialog', { name: /^Source 1: / })
  await passage.getByText('free of charge').waitFor()
  await page.keyboard.press('Escape')
  await passage.waitFor({ state: 'hidden' })
  await known.getByRole('button', { name: 'Why this answer', exact: true }).click()
  const why = known.getByRole('region', { name: 'Why this answer', exact: true })
  await why.getByText('Searched for', { exact: true }).waitFor()
  await why.getByText(/passages?$/).waitFor()
  await expectAccessible(page, 'playground')
  await shots('playground')

  await ask('Hi, who are you?')
  const greeted = await answered()
  await greeted.getByText(/^I’m a chatbot \(Lamps & Co\)\./).waitFor()
  await shots('greeted')

  await ask('Who won the chess championship of 1972?')
  const unknown = await answered()
  expect(await unknown.getByRole('list', { name: 'Sources' }).count()).toBe(0)
  await unknown.getByText(/Did you mean/).waitFor()
  await expectAccessible(page, 'suggestions')
  await shots('unknown')
  const offered = 'Which bulbs fit the Aurora desk lamp?'
  await unknown.getByRole('button', { name: offered, exact: true }).click()
  const chosen = conversation()
    .getByRole('listitem')
    .filter({ hasText: `You: ${offered}` })
  await chosen.getByText(/E14 bulbs/).waitFor()
  await chosen.getByRole('list', { name: 'Sources' }).getByRole('button').waitFor()
  // what is asked now is not the last question any more
  expect(await conversation().getByRole('button', { name: offered, exact: true }).isDisabled()).toBe(true)
  await shots('chosen')

  await ask('Who won the chess championship of 1972?')
  await (await answered()).getByText(/Did you mean/).waitFor()
})

it('is taught the right answer, and gives it when it is asked again', async () => {
  const { page } = browser
  const unknown = await answered()
  await unknown.getByRole('button', { name: 'Fix this answer', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Fix this answer', exact: true })
  expect(await dialog.getByLabel('Question', { exact: true }).inputValue()).toBe(
    'Who won the chess championship of 1972?',
  )
  await dialog.getByRole('button', { name: 'Save and ask again', exact: true }).click()
  await dialog.getByText('Enter an answer', { exact: true }).waitFor()
  await dialog.getByLabel('Correct answer', { exact: true }).fill('Bobby Fischer won the chess championship of 1972.')
  await shots('fix')
  await dialog.getByRole('button', { name: 'Save and ask again', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await (await answered())
    .getByText(/Bobby Fischer/)
    .first()
    .waitFor()

  const last = await answered()
  await last.getByRole('button', { name: 'Add to evaluations', exact: true }).click()
  const keep = page.getByRole('dialog', { name: 'Add to evaluations', exact: true })
  await keep.getByLabel('Question', { exact: true }).fill('Do you repair broken lamps?')
  await keep.getByText('Specific words', { exact: true }).click()
  await keep.getByLabel('Words', { exact: true }).fill('two weeks')
  await keep.getByRole('button', { name: 'Add', exact: true }).click()
  await keep.waitFor({ state: 'hidden' })
})

it('asks two settings the same question side by side', async () => {
  const { page } = browser
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await ask('Which bulbs does the Aurora take?')
  for (const name of ['Conversation A', 'Conversation B'])
    await (await answered(name)).getByText(/E14/).first().waitFor()
  await shots('side-by-side')
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByRole('button', { name: 'Restart', exact: true }).click()
  await page.getByRole('heading', { name: 'Talk to your chatbot', exact: true }).waitFor()
})

it('keeps every version of the instructions, shows what changed, and brings one back', async () => {
  const { page } = browser
  await page.goto(`${home}/instructions`)
  const editor = page.getByRole('textbox', { name: 'Instructions', exact: true })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const saved = page.getByRole('status').filter({ hasText: /^Saved$/ })
  await page.getByRole('button', { name: 'Templates', exact: true }).click()
  await page.getByRole('button', { name: 'Use this template', exact: true }).click()
  await expect.poll(() => editor.inputValue()).toContain('support assistant of Lamps & Co')
  await save.click()
  await saved.waitFor()
  await editor.fill(`${await editor.inputValue()}\n- Always name the workshop in Lyon.`)
  await ask('Do you repair lamps?')
  await (await answered('Preview conversation'))
    .getByText(/two weeks/)
    .first()
    .waitFor()
  await expectAccessible(page, 'instructions')
  await shots('instructions')
  // what is not saved asks before it is left
  await page.getByRole('link', { name: 'Playground', exact: true }).click()
  const leave = page.getByRole('dialog', { name: 'Leave without saving?', exact: true })
  await leave.getByRole('button', { name: 'Cancel', exact: true }).click()
  await leave.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+s')
  await saved.waitFor()

  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  const history = page.getByRole('dialog', { name: 'Versions of the instructions', exact: true })
  await history.locator('ins').filter({ hasText: 'Always name the workshop in Lyon.' }).waitFor()
  await shots('history')
  await history.getByRole('list', { name: 'Versions' }).getByRole('button').nth(1).click()
  await history.getByRole('button', { name: 'Restore', exact: true }).click()
  await history.waitFor({ state: 'hidden' })
  await expect.poll(() => editor.inputValue()).not.toContain('Lyon')
})

it('loses nothing when two write the instructions at once', async () => {
  const { page } = browser
  const editor = page.getByRole('textbox', { name: 'Instructions', exact: true })
  const before = await editor.inputValue()
  await editor.fill(`${before}\nMine.`)
  const path = new URL(`${home}/instructions`.replace('/projects/', '/api/projects/')).pathname
  await ada.send('POST', path, { text: `${before}\nTheirs.`, was: before })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const conflict = page.getByRole('dialog', { name: 'Someone else saved changes', exact: true })
  await conflict.getByText('Theirs').first().waitFor()
  await conflict.getByRole('button', { name: 'Save mine', exact: true }).click()
  await conflict.waitFor({ state: 'hidden' })
  await expect.poll(() => editor.inputValue()).toBe(`${before}\nMine.`)
  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  const history = page.getByRole('dialog', { name: 'Versions of the instructions', exact: true })
  await history.locator('del').filter({ hasText: 'Theirs.' }).waitFor()
  await page.keyboard.press('Escape')
})

it('measures the answers by questions whose right answer is known', async () => {
  const { page } = browser
  await page.goto(`${home}/test`)
  const table = page.getByRole('table', { name: 'Evaluations', exact: true })
  await table.getByRole('rowheader', { name: /Who won the chess championship/ }).waitFor()
  await page.getByRole('button', { name: 'Add several', exact: true }).click()
  const several = page.getByRole('dialog', { name: 'Add several questions', exact: true })
  await several
    .getByLabel('Questions, one per line')
    .fill(
      'How long can I return a lamp? | 30 days\nWho painted the Sistine chapel? | ?\nWhich bulbs fit the Aurora desk lamp? | E27',
    )
  await several.getByRole('button', { name: 'Add 3 questions', exact: true }).click()
  await several.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Run all', exact: true }).click()
  await page.getByText('4 of 5 passed', { exact: true }).waitFor()
  await table.getByRole('button', { name: 'Which bulbs fit the Aurora desk lamp?', exact: true }).click()
  await table.getByText('Not in the answer: “E27”.', { exact: true }).waitFor()
  await expectAccessible(page, 'evaluation questions')

  await table.getByRole('button', { name: 'Actions for “Which bulbs fit the Aurora desk lamp?”', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit question', exact: true })
  await edit.getByLabel('Words', { exact: true }).fill('E14')
  await edit.getByRole('button', { name: 'Save', exact: true }).click()
  await edit.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Run all', exact: true }).click()
  await page.getByText('5 of 5 passed', { exact: true }).waitFor()
  await shots('evaluations')
  expect(browser.errors).toEqual([expect.stringContaining('status of 409 (Conflict)')])
})
