import type { BlockImporter } from '../../engine/interop/importer'

/** Unsupported blocks, each with the reason and an alternative. */
const reasons: Readonly<Record<string, string>> = {
  'payment input': 'Nobody can pay within a chat here: lead to a page for payment, by a redirect or a link in a text.',
  Pixel: 'Chats run no code for tracking: put it into the page that shows the chatbot.',
  'Google Analytics': 'Chats run no code for tracking: put it into the page that shows the chatbot.',
  posthog: 'Chats run no code for tracking: let an HTTP request tell what happened.',
  Code: 'Code from a file is not run: set a variable by an expression, or call what does it by an HTTP request.',
  webhook: 'Other programs continue a conversation by a Webhook trigger: begin a group with one, after a wait.',
  Loop: 'There is no block that repeats: take the first item out of a list with set variable, and lead an edge back.',
  'otp input':
    'There is no block that checks codes sent to visitors: ask for the code, and check it by an HTTP request.',
  'qr-code': 'There is no block that draws QR codes: show an image whose address makes one.',
  gmail: 'There is no block for this mailbox: use send email.',
  nocodb: 'There is no block for this table: let HTTP requests call its API.',
}

export const placeholderFromTypebot: BlockImporter = {
  product: 'typebot',
  types: Object.keys(reasons),
  map: ({ type }) => ({ notMapped: reasons[type] ?? '' }),
}
