/** A call that brings a message, for a shell. */
export const exampleCall = (address: string): string =>
  [
    `curl -X POST ${address} \\`,
    "  -H 'Authorization: Bearer YOUR_API_KEY' \\",
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"from": "ada", "id": "message-1", "text": "Hello", "name": "Ada"}'`,
  ].join('\n')

/** What a program is sent. */
export const exampleMessage = `webhook-id: <id>
webhook-timestamp: 1795511400
webhook-signature: v1,<base64>

${JSON.stringify(
  {
    ...{ type: 'message', id: '<id>', conversation: 'abcdefgh12345678', to: 'ada' },
    ...{ kind: 'text', text: 'What is it about?' },
    question: { input: 'choice', options: [{ id: 'repair', label: 'Repair' }] },
  },
  null,
  2,
)}`
