import { expect, test } from 'vitest'
import { checkContent } from './content'

const mail = { fromName: 'Shop', to: ['ada@example.com'], cc: [], bcc: [], replyTo: [], subject: 'Hello' }

test('a mail whose fields are right is left as it is', () => {
  const asWritten = {
    ...mail,
    fromName: 'x'.repeat(255),
    subject: 'x'.repeat(988),
    cc: Array(5).fill('bob@example.com'),
  }
  expect(checkContent(asWritten)).toEqual({ content: asWritten, problem: null })
})

test.each([
  [{ to: [] }, 'The email has no recipient.'],
  [{ cc: Array(6).fill('bob@example.com') }, 'At most 5 addresses are possible in a field.'],
  [{ fromName: 'x'.repeat(256) }, 'From name: Must not exceed 255 characters'],
  [{ subject: 'x'.repeat(989) }, 'Subject: Must not exceed 988 characters'],
  [{ to: [`${'x'.repeat(100)} y`] }, `Enter a valid email address: '${'x'.repeat(80)}'`],
  [{ to: ['first mistake'], subject: 'x'.repeat(989) }, "Enter a valid email address: 'first mistake'"],
])('what is wrong with %j is said, the first thing of several', (fields, problem) => {
  expect(checkContent({ ...mail, ...fields }).problem).toBe(problem)
})

test('line breaks end no header: they become spaces', () => {
  const { content, problem } = checkContent({
    ...mail,
    fromName: 'Shop\r\nBcc: eve@example.com',
    to: ['a@b.c\r\nBcc: e@f.g'],
  })
  expect(content.fromName).toBe('Shop Bcc: eve@example.com')
  expect(content.to).toEqual(['a@b.c Bcc: e@f.g'])
  expect(problem).toContain('Enter a valid email address')
})
