import { expect, test } from 'vitest'
import { plainRichText } from '../../../engine/values/richText'
import type { RunTask } from '../workers/createThreads'
import type { MailBody } from './mailBody'
import { renderBody } from './renderBody'
import { renderMail } from './renderMail'

test('a long mail is rendered in a thread, for its project, and a short one here: both as they would be anyway', async () => {
  const asked: unknown[] = []
  const run = (async ({ name }: { name: string }, body: MailBody, options: object) => {
    asked.push([name, options])
    return renderBody(body)
  }) as RunTask
  const mailOf = (text: string): MailBody => ({ template: 'flow', body: plainRichText(text) })
  const [short, long] = [mailOf('Good day'), mailOf('line\n'.repeat(400))]
  expect(await renderMail(short, '7', run)).toEqual(await renderBody(short))
  expect(asked).toEqual([])
  expect(await renderMail(long, '7', run)).toEqual(await renderBody(long))
  expect(asked).toEqual([['renderMail', { owner: '7' }]])
})
