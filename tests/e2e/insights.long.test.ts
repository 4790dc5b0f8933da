import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { emptyFlow, type Flow } from '../../engine/flow/schema'
import { plainRichText } from '../../engine/values/richText'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { sendMessage, startConversation } from '../../server/contracts/chat'
import { readChatbot } from '../../server/contracts/chatbots'
import { importFlow, publishFlow } from '../../server/contracts/flows'
import { replyToVisitor } from '../../server/contracts/inbox'
import { expectAccessible, showIn } from '../support/accessibility'
import { actAs } from '../support/actAs'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { addMember, makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { readZip } from '../support/zip'

/** What owners and analysts learn of conversations: figures, results, leads, contacts, and all of it as files. */
let server: TestServer
let browser: TestBrowser
let page: Page
let ada: Registered
let place: { pgid: string; cgid: string; fid: string }
let slug: string
let project: string
let chatbot: string
beforeAll(async () => {
  ensureBuilt()
  ;[server, browser] = await Promise.all([
    startTestServer({ config: { chatStartsPerMinute: 0 } }),
    launchBrowser({ acceptDownloads: true, timezoneId: 'Europe/Berlin', locale: 'en-US' }),
  ])
  page = browser.page
  ada = await server.register({ last_name: 'Lovelace', email: 'ada@example.com' })
  place = await makeChatbot(ada)
  slug = (await ada.call(readChatbot, { params: { pgid: place.pgid, cgid: place.cgid } })).chatbot.slug
  await ada.call(importFlow, { params: place, body: { source: JSON.stringify(askingFlow()), mode: 'replace' } })
  await ada.call(publishFlow, { params: place })
  project = `${server.url}/projects/${place.pgid}`
  chatbot = `${project}/chatbots/${place.cgid}`
  await visit('Grace Hopper', 'grace@example.com')
  await visit('=1+1', 'mary@example.com')
  await visit('Somebody')
  await visit()
})
afterAll(() => Promise.all([browser?.close(), server?.close()]))

/** Asks for a name, then for an email, then thanks. */
function askingFlow(): Flow {
  const make = (id: string, kind: string, data: object = {}) => {
    const { defaults, migrations } = registry.get(kind)
    return { id, kind, version: migrations.length, data: { ...(defaults(() => `${id}-item`) as object), ...data } }
  }
  return {
    ...emptyFlow(),
    variables: [
      { id: 'v-name', name: 'Full name', value: null },
      { id: 'v-email', name: 'Work email', value: null },
    ],
    groups: [
      {
        id: 'welcome',
        title: 'Welcome',
        position: { x: 0, y: 0 },
        blocks: [
          make('start', 'start'),
          make('name', 'text-input', { prompt: plainRichText('What is your name?'), saveTo: 'v-name' }),
          make('email', 'email-input', { prompt: plainRichText('And your email?'), saveTo: 'v-email' }),
          make('bye', 'text', { content: plainRichText('Thank you') }),
          make('end', 'end'),
        ],
      },
    ],
    edges: [],
  } as Flow
}

let count = 0
/** A visitor who gives these answers, one after the other, and then says no more. */
async function visit(...answers: string[]): Promise<void> {
  const guest = await server.guest()
  const clientId = () => `message-${++count}`
  const { token, conversation } = await guest.call(startConversation, {
    params: { slug },
    body: { client_id: clientId(), visitor: `visitor-${count}-of-the-test`, language: 'en' },
  })
  for (const text of answers) {
    const { path } = sendMessage
    const url = path.replace(':slug', slug).replace(':conversation', conversation.id)
    const reply = { type: 'text', text }
    const answer = await guest.send('POST', url, { client_id: clientId(), reply }, { authorization: `Bearer ${token}` })
    expect(answer.status, answer.text).toBe(200)
  }
}

/** Looks at a screen as people see it, on both sizes and in both schemes. */
async function look(name: string): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await showIn(page, colorScheme)
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png` })
    }
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await expectAccessible(page, `${name}, ${width} wide`)
  }
  await showIn(page, 'light')
  await page.setViewportSize({ width: 1440, height: 900 })
}

const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()

/** Saves what a click downloads. @returns its text */
async function download(act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

it('shows the figures of a chatbot, and the conversations behind them', async () => {
  await page.context().addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: server.url })))
  await page.goto(`${chatbot}/analytics`)
  await heading('Analytics')
  const figures = page.getByRole('list', { name: 'Figures' })
  const tile = (name: string) => figures.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
  await tile('Conversations').getByText('4', { exact: true }).waitFor()
  await tile('Leads').getByText('2', { exact: true }).waitFor()
  // two of the three who wrote came to the end; one left at a question
  await tile('Resolved by the bot').getByText('67%', { exact: true }).waitFor()
  await look('analytics')

  await page.getByRole('button', { name: 'Conversations', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Conversations' })
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(4)
  await expectAccessible(page, 'the conversations of a figure')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Show “How conversations ended” as a table' }).click()
  const table = page.getByRole('region', { name: 'Table: How conversations ended' })
  await table.getByRole('row', { name: 'Visitor wrote nothing 1' }).waitFor()
  await page.getByRole('button', { name: 'Download “Conversations over time”' }).click()
  const svg = await download(() => page.getByRole('menuitem', { name: 'Download as SVG' }).click())
  expect(svg.name).toBe('conversations-over-time.svg')
  expect(svg.text).toContain('<svg')
})

it('leads from a chart and its table to the conversations, gives bars as SVG, and shows the last days on the homes', async () => {
  const drilled = page.getByRole('dialog')
  const close = async () => {
    await drilled.getByRole('button', { name: 'Close' }).click()
    await drilled.waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Show “Busiest hours” as a table' }).click()
  const hours = page.getByRole('region', { name: 'Table: Busiest hours' })
  await hours.getByRole('button').first().click()
  await drilled.getByRole('listitem').first().waitFor()
  await close()
  const channels = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Channels', exact: true }) })
  await channels.getByRole('button', { name: 'Web', exact: true }).click()
  await expect.poll(() => drilled.getByRole('listitem').count()).toBe(4)
  await close()
  await page.getByRole('button', { name: 'Leads', exact: true }).first().click()
  await expect.poll(() => drilled.getByRole('listitem').count()).toBe(2)
  await close()
  await page.getByRole('button', { name: 'Download “Channels”' }).click()
  const svg = await download(() => page.getByRole('menuitem', { name: 'Download as SVG' }).click())
  expect([svg.name, svg.text.includes('>Web</text>')]).toEqual(['channels.svg', true])
  await channels.scrollIntoViewIfNeeded()
  await look('analytics-charts')

  for (const [name, home] of [
    ['home', project],
    ['overview', `${chatbot}/settings/overview`],
  ] as const) {
    await page.goto(home)
    const recent = page.getByRole('region', { name: 'The last 28 days' })
    await recent.getByText('Visitors', { exact: true }).waitFor()
    await look(`figures-${name}`)
    await recent.getByRole('button', { name: 'Conversations', exact: true }).click()
    await expect.poll(() => page.getByRole('dialog', { name: 'Conversations' }).getByRole('listitem').count()).toBe(4)
  }
  await page.goto(`${chatbot}/analytics`)
})

it('shows what each person had to do, and the conversations behind it', async () => {
  const { db } = server.context
  const rows = await db.selectFrom('conversations').select('gid').orderBy('id').execute()
  const [, answered, , waiting] = rows.map(({ gid }) => gid)
  const answer = (conversation = '', text = '', close = false) =>
    ada.call(replyToVisitor, {
      params: { pgid: place.pgid, conversation },
      body: { client_id: `answer-of-ada-${++count}`, text, file_ids: [], seen: 100, anyway: true, reopen: true, close },
    })
  await answer(answered, 'Hello')
  await answer(answered, 'Goodbye', true)
  await answer(waiting, 'Are you there?')

  await page.goto(`${chatbot}/analytics?period=7`)
  const people = page.getByRole('region', { name: 'People’s conversations' }).last()
  const cells = people.getByRole('row').last().getByRole('cell')
  await people.getByRole('rowheader', { name: 'Ada Lovelace' }).waitFor()
  const figures = async () => (await cells.allInnerTexts()).filter((_, at) => at !== 3 && at !== 4)
  await expect.poll(figures).toEqual(['2', '2', '1', '3', '–', '1'])
  await look('analytics-people')
  await people.getByRole('button', { name: 'Open now of Ada Lovelace: 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open conversations' })
  await dialog.getByText('Ada Lovelace').waitFor()
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Download “People’s conversations”' }).click()
  const csv = await download(() => page.getByRole('menuitem', { name: 'Download as CSV' }).click())
  expect(csv.text).toContain('Ada Lovelace,2,2,1,')
  await page.getByRole('button', { name: 'Download “When people answered”' }).click()
  const svg = await download(() => page.getByRole('menuitem', { name: 'Download as SVG' }).click())
  expect(svg.text).toContain('Ada Lovelace, ')
})

it('switches the weekly mail on, and asks somebody without an account', async () => {
  await page.goto(`${chatbot}/analytics?period=7&figure=conversations`)
  const drilled = page.getByRole('dialog', { name: 'Conversations' })
  await expect.poll(() => drilled.getByRole('listitem').count()).toBe(4)
  await drilled.getByRole('button', { name: 'Close' }).click()
  await drilled.waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.has('figure')).toBe(false)

  await page.getByRole('button', { name: 'Weekly email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Weekly email' })
  await dialog.getByText('No mail server is set up').waitFor()
  expect(await dialog.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Berlin')
  await dialog.getByLabel('Email address').fill('colleague')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByText('Enter a valid email address').waitFor()
  await dialog.getByLabel('Email address').fill('colleague@example.org')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByRole('listitem').getByText('Asked').waitFor()
  await look('weekly-mail')
  await dialog.getByRole('switch', { name: 'Send me a weekly email' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('The next email comes').waitFor()
  const stored = () => server.context.db.selectFrom('weekly_mails').select(['enabled', 'zone']).executeTakeFirst()
  expect(await stored()).toEqual({ enabled: true, zone: 'Europe/Berlin' })

  await page.getByRole('button', { name: 'Weekly email' }).click()
  await dialog.getByRole('button', { name: 'Remove colleague@example.org' }).click()
  await page.getByRole('button', { name: 'Remove person' }).click()
  await dialog.getByRole('listitem').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
})

it('blurs the charts where the plan has basic analytics alone, and sends none of them', async () => {
  const plan = (plan_id: string) =>
    server.context.db.updateTable('projects').set({ plan_id }).where('gid', '=', place.pgid).execute()
  await plan('free')
  const answered = page.waitForResponse((response) => /\/api\/.*\/analytics\?/.test(response.url()))
  await page.goto(`${chatbot}/analytics?period=7`)
  expect(((await (await answered).json()) as { data: { detail: unknown } }).data.detail).toBeNull()
  await page.getByRole('note').getByText('You must upgrade to enable it.').waitFor()
  // billing is off: there are no plans to see
  expect(await page.getByRole('note').getByRole('link').count()).toBe(0)
  await look('analytics-basic')
  await plan('self-hosted')
})

it('lists what visitors answered, a column a question', async () => {
  await page.goto(`${chatbot}/results`)
  await heading('Results')
  await page.getByRole('columnheader', { name: 'Work email' }).waitFor()
  await page.getByRole('row', { name: /Completed Grace Hopper grace@example.com/ }).waitFor()
  await page.getByRole('row', { name: /In progress Somebody/ }).waitFor()
  await look('results')
  const csv = await download(() => page.getByRole('button', { name: 'Download as CSV' }).click())
  expect(csv.text).toContain("'=1+1,mary@example.com")
})

it('moves a lead by keys on the board, and gives it an owner in the table', async () => {
  await page.goto(`${chatbot}/leads/index2`)
  await heading('Leads')
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  const card = column('New').getByRole('button', { name: 'Grace Hopper' })
  await look('leads-board')
  await card.focus()
  await card.press('ArrowRight')
  await column('Contacted').getByRole('button', { name: 'Grace Hopper' }).waitFor()
  await page.getByRole('status').getByText('Grace Hopper moved to Contacted').waitFor()
  const stored = () =>
    server.context.db.selectFrom('leads').select('status').where('name', '=', 'Grace Hopper').executeTakeFirst()
  await expect.poll(async () => (await stored())?.status).toBe('contacted')

  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await page.getByRole('row', { name: /grace@example.com/ }).waitFor()
  await page.getByRole('combobox', { name: 'Owner of Grace Hopper' }).click()
  await page.getByRole('option', { name: 'Ada Lovelace' }).click()
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Owner of Grace Hopper' }).inputValue())
    .toBe('Ada Lovelace')
  await look('leads-table')
  await page.getByRole('searchbox', { name: 'Search name, email or phone' }).fill('nobody')
  await page.getByText('No matching leads').waitFor()
})

it('keeps a contact with its story, and erases the person with all that was said', async () => {
  await page.goto(`${project}/contacts`)
  await page.getByText('No contacts yet').waitFor()
  await page.getByRole('button', { name: 'New contact' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Grace Hopper')
  await dialog.getByLabel('Email').fill('grace')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a valid email address').waitFor()
  await dialog.getByLabel('Email').fill('grace@example.com')
  await dialog.getByLabel('Tags').fill('VIP, Navy')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: 'VIP Navy' }).waitFor()
  await look('contacts')
  await page.getByRole('button', { name: 'Grace Hopper' }).click()
  await dialog.getByText('Left their details with').waitFor()
  await dialog.getByText('Talked to').waitFor()
  await look('contact')
  const data = await download(() => dialog.getByRole('button', { name: 'Download all data' }).click())
  expect(data.text).toContain('And your email?')
  await dialog.getByRole('button', { name: 'Erase person' }).click()
  await page.getByLabel('Type ERASE to confirm').fill('ERASE')
  await page.getByRole('dialog', { name: 'Erase this person?' }).getByRole('button', { name: 'Erase person' }).click()
  await page.getByText('Erased, with 1 conversation.').waitFor()
  const { db } = server.context
  expect(await db.selectFrom('leads').select('email').execute()).toEqual([{ email: 'mary@example.com' }])
  expect(await db.selectFrom('conversations').select('id').execute()).toHaveLength(3)
})

it('describes a field, imports contacts after a dry run, merges doubles, undoes it, and keeps a segment', async () => {
  await page.goto(`${project}/contacts`)
  await heading('Contacts')
  const dialog = page.getByRole('dialog')
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Import, duplicates and fields' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Fields')
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await dialog.getByLabel('Name').fill('Seats')
  await dialog.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Number' }).click()
  await look('contact-field')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Seats', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })

  await choose('Import contacts')
  const lines = ['Full name,E-mail,Seats,Tags', 'Ida,ida@example.com,12,VIP', 'Ida Rhodes,ida.rhodes@example.com,many,']
  const rest = ['Ida Rhodes,ida@navy.example,3,Navy', 'Joan,joan@example.com,"7" seats,']
  const csv = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from([...lines, ...rest].join('\n')) }
  await dialog.locator('input[type=file]').setInputFiles(csv)
  await dialog.getByText('people.csv: 3 rows, UTF-8.').waitFor()
  await dialog.getByText('Lines that can’t be read').waitFor()
  await expect.poll(() => dialog.getByRole('combobox', { name: 'Where “Seats” goes' }).inputValue()).toBe('Seats')
  await look('contact-import')
  await dialog.getByRole('button', { name: 'Check', exact: true }).click()
  await dialog.getByText('people.csv was checked. Nothing has been written yet.').waitFor()
  await dialog.getByText('Enter a number such as 12 or 3.5').waitFor()
  await look('contact-import-checked')
  await dialog.getByRole('button', { name: 'Import 2 contacts' }).click()
  await dialog.getByText('people.csv was imported.').waitFor()
  await dialog.getByRole('contentinfo').or(dialog).getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Ida Rhodes ida@navy\.example 3 Navy/ }).waitFor()

  // both have the same phone by now
  await server.context.db.updateTable('contacts').set({ phone: '+49301234' }).where('name', 'like', 'Ida%').execute()
  await choose('Duplicates')
  await look('contact-doubles')
  await dialog.getByRole('button', { name: 'Merge Ida and Ida Rhodes' }).click()
  await dialog.getByRole('radio', { name: 'Name: Ida Rhodes' }).check()
  await look('contact-merge')
  await dialog.getByRole('button', { name: 'Merge contacts' }).click()
  const undo = dialog.getByRole('button', { name: 'Undo the merge of Ida Rhodes into Ida Rhodes' })
  await undo.waitFor()
  await look('contact-merged')
  await undo.click()
  await dialog.getByRole('button', { name: 'Merge Ida and Ida Rhodes' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Field' }).click()
  await page.getByRole('option', { name: 'Seats' }).click()
  await dialog.getByRole('combobox', { name: 'Comparison' }).click()
  await page.getByRole('option', { name: 'is more than' }).click()
  await dialog.getByRole('textbox', { name: 'Value' }).fill('5')
  await dialog.getByLabel('Save as a segment').fill('Large')
  await look('contact-filter')
  await dialog.getByRole('button', { name: 'Save segment' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Large 1' }).waitFor()
  await page.getByRole('row', { name: /Ida ida@example\.com/ }).waitFor()
  await page.getByRole('row', { name: /Ida Rhodes/ }).waitFor({ state: 'detached' })
  await look('contact-segment')
})

it('exports everything, downloads it, and says where a file can’t be had', async () => {
  await page.goto(`${project}/exports-history`)
  await page.getByText('No exports yet').waitFor()
  await page.getByRole('button', { name: 'New export' }).click()
  const dialog = page.getByRole('dialog', { name: 'New export' })
  await dialog.getByRole('combobox', { name: 'What to export' }).click()
  await page.getByRole('option', { name: 'Leads' }).click()
  await expectAccessible(page, 'a new export')
  await dialog.getByRole('button', { name: 'Export' }).click()
  await dialog.waitFor({ state: 'detached' })
  const save = page.getByRole('button', { name: /^Download: Leads/ })
  await save.waitFor()
  await look('exports')
  await save.click()
  const csv = await download(() => page.getByRole('menuitem', { name: 'CSV' }).click())
  expect(csv.name).toMatch(/^leads-\d{4}-\d\d-\d\d\.csv$/)
  expect(csv.text).toContain("'=1+1,mary@example.com")
  await page.route('**/download?format=xlsx', (route) => route.abort())
  await save.click()
  await page.getByRole('menuitem', { name: 'Excel (XLSX)' }).click()
  await page.getByText('Failed to download file').waitFor()
  await page.unroute('**/download?format=xlsx')
  await save.click()
  const [sheet] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Excel (XLSX)' }).click(),
  ])
  expect(sheet.suggestedFilename()).toMatch(/^leads-\d{4}-\d\d-\d\d\.xlsx$/)
  const cells = readZip(await readFile(await sheet.path())).get('xl/worksheets/sheet1.xml') ?? ''
  // a name that begins like a formula is a text of its cell
  expect(cells).toContain('>=1+1</t>')
  expect(cells).toContain('>mary@example.com</t>')
  expect(cells).not.toContain('<f>')
})

it('says what a rule of retention would do before it is saved', async () => {
  await page.goto(`${project}/settings/project/general`)
  await page.getByLabel('Delete conversations after (days)').fill('30')
  await page.getByText('Now this would delete 0 conversations and black out 0.').waitFor()
  await page.getByLabel('Delete conversations after (days)').fill('0')
  await page.getByText('At least 1').waitFor()
  await page.getByLabel('Delete conversations after (days)').fill('30')
  await expectAccessible(page, 'rules of retention')
})

it('lands an analyst on the analytics', async () => {
  const ann = await server.register({ first_name: 'Ann', last_name: 'Analyst', email: 'ann@example.com' })
  await addMember(server, place.pgid, ann, [Role.ANALYST])
  await actAs(browser, ann, server.url)
  await page.goto(`${server.url}/?project=${place.pgid}`)
  await page.waitForURL(`${chatbot}/analytics`)
  await page.getByRole('list', { name: 'Figures' }).waitFor()
})
