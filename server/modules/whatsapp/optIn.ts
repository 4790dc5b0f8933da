import type { Db } from '../../platform/database/database'
import { optWord } from './optWords'
import type { PersonRow } from './people'

const MOST_WORDS = 1_000
const MARKETING = 'MARKETING'

/**
 * Why no template may go to a person; null: it may. Answers to what they wrote may always go.
 * @param category of the template, as WhatsApp has put it
 */
export function whyNoTemplate(
  { stopped_at, stopped_by, agreed_at }: Pick<PersonRow, 'stopped_at' | 'stopped_by' | 'agreed_at'>,
  category: string,
): string | null {
  if (stopped_at) return `This person has asked not to be written to any more (“${stopped_by}”).`
  return category === MARKETING && !agreed_at
    ? 'This person has not agreed to get marketing: only other templates can be sent.'
    : null
}

/**
 * Notes a word by which a person wants to be left alone, or written to again.
 * @param text what they wrote or pressed
 */
export async function noteOptWord(own: Db, person: PersonRow, text: string, now: Date): Promise<void> {
  const word = optWord(text)
  if (word === 'stop' && !person.stopped_at)
    await note(own, person, { stopped_at: now, stopped_by: text.trim(), agreed_at: null, agreed_to: null })
  if (word === 'start' && person.stopped_at) await note(own, person, { stopped_at: null, stopped_by: null })
}

/** Notes that a person agrees to marketing, in whatever words they were asked, or does not any more. */
export const noteAgreement = (own: Db, person: PersonRow, agrees: boolean, words: string, now: Date): Promise<void> =>
  note(
    own,
    person,
    agrees
      ? { agreed_at: now, agreed_to: words.slice(0, MOST_WORDS), stopped_at: null, stopped_by: null }
      : { agreed_at: null, agreed_to: null },
  )

type Opt = Partial<Pick<PersonRow, 'stopped_at' | 'stopped_by' | 'agreed_at' | 'agreed_to'>>
async function note(own: Db, { id, project_id }: PersonRow, opt: Opt): Promise<void> {
  await own.updateTable('whatsapp_people').set(opt).where('id', '=', id).where('project_id', '=', project_id).execute()
}
