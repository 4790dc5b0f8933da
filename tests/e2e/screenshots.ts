import { mkdir } from 'node:fs/promises'
import { type BuiltApp, startInstallation } from '../support/app'
import { launchBrowser } from '../support/browser'
import { chat, createFromFile, logIn, openBuilder, publish, registerOwner, typebotFile } from './steps'

const folder = '.ci/screenshots'

/** Makes the README's pictures anew: `node server/cli/screenshots.mjs`. */
export async function makeScreenshots(): Promise<void> {
  await mkdir(folder, { recursive: true })
  const app = await startInstallation()
  try {
    await photographBuilder(app)
    await photographChat(app)
  } finally {
    await app.stop()
  }
}

/** A flow with its test beside it. */
async function photographBuilder(app: BuiltApp): Promise<void> {
  const { page, close } = await launchBrowser()
  await registerOwner(page, app)
  await createFromFile(page, typebotFile('lead-scoring'), 'Lead scoring')
  await openBuilder(page)
  await page.getByRole('button', { name: 'Hide blocks' }).click()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const { hears, chooses, writes } = chat(page)
  await hears('Do you ask for a company?')
  await chooses('Yes')
  await writes('Analytical Engines')
  await writes('42', 'A number')
  await hears('What do you do there?')
  await page.getByRole('button', { name: 'Product', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.getByLabel('Flow', { exact: true }).hover({ position: { x: 300, y: 700 } })
  await page.mouse.wheel(0, -220)
  await page.screenshot({ path: `${folder}/builder.png` })
  await close()
}

async function photographChat(app: BuiltApp): Promise<void> {
  const link = await publishOne(app)
  const { page, close } = await launchBrowser({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 })
  const { hears, chooses, writes } = chat(page)
  await page.goto(link)
  await hears('Welcome to Lantern (a small studio)')
  await chooses('Hello!')
  await hears('May we have your name?')
  await writes('Ada')
  await writes('ada@example.com', 'Your email address')
  await hears('What services shall we plan?')
  await page.mouse.move(195, 300)
  await page.screenshot({ path: `${folder}/chat.png` })
  await close()
}

/** A published chatbot's public link. */
async function publishOne(app: BuiltApp): Promise<string> {
  const { page, close } = await launchBrowser()
  await logIn(page, app.url)
  await createFromFile(page, typebotFile('lead-generation'), 'Lead generation')
  await openBuilder(page)
  const link = await publish(page)
  await close()
  return link
}
