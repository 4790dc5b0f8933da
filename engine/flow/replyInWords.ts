import type { InputRequest, Reply } from './conversation'

/** A reply in words, or why it is invalid. */
export type WordsAnswer = Reply | { problem: string }

/**
 * Reads typed words as a visitor's reply where nothing can be clicked: an option by its label or number (several
 * separated by commas), or free text. Forms and files can't be answered in words.
 */
export function replyInWords(request: InputRequest, line: string): WordsAnswer {
  const words = line.trim()
  const text = (value: string): Reply => ({ type: 'text', text: value })
  if ('options' in request) {
    const several = request.input === 'choice' && request.multiple
    const picked = (several ? words.split(',') : [words]).map((word) => pick(request.options, word.trim()))
    const ids = picked.flatMap((option) => (option ? [option.id] : []))
    if (ids.length === picked.length) {
      const opens = picked.flatMap((option) => (option && 'url' in option && option.url ? [option.url] : []))
      return opens.length > 0
        ? { problem: `That opens ${opens.join(', ')}; it answers nothing.` }
        : { type: 'choice', optionIds: ids }
    }
    if (words === '') return { problem: 'Choose an option by its number.' }
    return text(line)
  }
  if (words === '') return { problem: 'Type an answer, or /skip.' }
  const quick = 'quickReplies' in request ? request.quickReplies : undefined
  const chosen = quick && (request.input === 'number' ? quick.find(({ label }) => label === words) : pick(quick, words))
  return text(chosen?.label ?? line)
}

type Option = { id: string; label: string; url?: string }

/** Finds an option by its label or number. */
const pick = <Given extends Option>(options: readonly Given[], word: string): Given | undefined =>
  options.find(({ label }) => label.toLowerCase() === word.toLowerCase()) ??
  (/^\d{1,4}$/.test(word) ? options[Number(word) - 1] : undefined)
