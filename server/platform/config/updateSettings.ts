import { z } from 'zod'

/** The variable about newer versions, for the table of all settings. */
export const updateVariables = {
  UPDATE_CHECK: z
    .string()
    .refine(
      isFeed,
      'give the http(s) address of a JSON with the newest version as "tag_name", such as https://api.github.com/repos/OWNER/NAME/releases/latest',
    )
    .optional(),
} as const

function isFeed(text: string): boolean {
  if (text.length > 500 || !URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !password && !hash
}
