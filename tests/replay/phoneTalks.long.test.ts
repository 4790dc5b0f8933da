import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawnSource, sharedDrawnFiles } from '../support/drawnFlows'
import { ownTypebotFiles, sharedTypebotFiles, typebotSource } from '../support/typebot'
import { startPhoneTalks } from '../support/vendors/whatsapp/phoneTalk'

/** Imported flows, our own and other people's, talked to on a phone until they end, or for as many turns as this. */
const TURNS = 24
/** How many of other people’s flows there are at least, as issue 18 names them. */
const FLOWS = 40

/** Chats without an end: what people write is answered as long as they do. */
const ENDLESS: ReadonlySet<string> = new Set([
  'template__customer-support.json',
  ...['AgentFlow.yml', 'Deep-Researcher-On-Dify-.yml', 'MCP-amap.yml', 'Python-Coding-Prompt.yml'],
  ...['form-chat-demo.yml', 'memory-test.yml', 'Agents-Handoff.json', 'Interacting-With-API.json', 'Iterations.json'],
  ...['Simple-RAG.json', 'Structured-Output.json', 'Workplace-Chat.json'],
])
/**
 * Those among them whose answer comes from what a person has to choose first (a source, a tool, a server): without it
 * the block fails, its output “Failure” leads back to the question, and nothing is said.
 */
const UNFINISHED: ReadonlySet<string> = new Set([
  ...['AgentFlow.yml', 'Deep-Researcher-On-Dify-.yml', 'Interacting-With-API.json', 'Simple-RAG.json'],
])

let talks: Awaited<ReturnType<typeof startPhoneTalks>>
beforeAll(async () => {
  talks = await startPhoneTalks()
})
afterAll(() => talks.close())

async function talkTo(name: string, source: string): Promise<void> {
  const { end, problems } = await talks.with({ source }, TURNS)
  const isFreeText = (problem: string) => /silence where .*"input":"text"/.test(problem)
  expect(problems.filter((problem) => !(UNFINISHED.has(name) && isFreeText(problem)))).toEqual([])
  if (!ENDLESS.has(name)) expect(end).not.toBe('turns')
}

test.each(ownTypebotFiles)('our own flow from Typebot: %s', (name) => talkTo(name, typebotSource(name)))

describe.skipIf(sharedTypebotFiles.length === 0)('other people’s flows, beside the repository', () => {
  const all = [...sharedTypebotFiles, ...sharedDrawnFiles('dify'), ...sharedDrawnFiles('flowise')]

  test(`they are ${FLOWS} at least, and all but the chats without an end are talked to until they end`, () => {
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThanOrEqual(FLOWS)
    // none of those that may go on for ever is a name that is gone
    expect([...ENDLESS].filter((name) => !all.includes(name))).toEqual([])
    expect([...UNFINISHED].filter((name) => !ENDLESS.has(name))).toEqual([])
  })

  test.each(sharedTypebotFiles)('from Typebot: %s', (name) => talkTo(name, typebotSource(name)))
  test.each(sharedDrawnFiles('dify'))('from Dify: %s', (name) => talkTo(name, drawnSource('dify', name)))
  test.each(sharedDrawnFiles('flowise'))('from Flowise: %s', (name) => talkTo(name, drawnSource('flowise', name)))
})
