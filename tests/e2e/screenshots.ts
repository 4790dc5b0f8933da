import { mkdir } from 'node:fs/promises'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser } from '../support/browser'
import { chat, createFromFile, openBuilder, publish, registerOwner, typebotFile } from './steps'

const folder = '.ci/screenshots'

/** Makes the README's pictures anew: `node server/cli/screenshots.mjs`. */
export async function makeScreenshots(): Promise<void> {
  await mkdir(folder, { recursive: true })
  const app = await startBuiltApp()
  try {
    await photographChat(await photographBuilder(app))
  } finally {
    await app.stop()
  }
}

/** A flow with its test beside it; the flow's public link. */
async function photographBuilder(app: BuiltApp): Promise<string> {
  const { page, close } = await launchBrowser()
  await registerOwner(page, app)
  await createFromFile(page, typebotFile('template__lead-scoring'), 'Lead scoring')
  await openBuilder(page)
  const link = await publish(page)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Hide blocks' }).click()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  const { hears, chooses, writes } = chat(page)
  await hears('Do you work with a specific company?')
  await chooses('Yes')
  await writes('Analytical Engines')
  await writes('42', 'A number')
  await hears("What's your job role?")
  await page.getByRole('button', { name: 'Product Owner', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.getByLabel('Flow', { exact: true }).hover({ position: { x: 300, y: 700 } })
  await page.mouse.wheel(0, -220)
  // the notice of the publication leaves by itself
  await page.getByRole('button', { name: 'Close', exact: true }).waitFor({ state: 'detached' })
  await page.screenshot({ path: `${folder}/builder.png` })
  await close()
  return link
}

async function photographChat(link: string): Promise<void> {
  const { page, close } = await launchBrowser({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 })
  const { hears, chooses } = chat(page)
  await page.goto(link)
  await hears('Do you work with a specific company?')
  await chooses('No')
  await hears("What's your job role?")
  await page.getByRole('button', { name: 'Product Owner', exact: true }).waitFor()
  await page.mouse.move(195, 300)
  await page.screenshot({ path: `${folder}/chat.png` })
  await close()
}
