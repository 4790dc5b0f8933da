import type { InputRequest, Reply } from './conversation'

type RatingRequest = Extract<InputRequest, { input: 'rating' }>

/** The option of a rating that a reply chooses: `index` counts from 0, the worst. */
export interface GivenRating {
  index: number
  /** number of options */
  of: number
  label: string
}

/**
 * Reads a reply to a rating: a chosen option, its label (ignoring case), or, where options are words, its number from
 * 1. @returns null for any other reply
 */
export function ratingIn(
  { scale, options }: Pick<RatingRequest, 'scale' | 'options'>,
  reply: Reply,
): GivenRating | null {
  const index = indexIn(scale, options, reply)
  const label = options[index]?.label
  return label === undefined ? null : { index, of: options.length, label }
}

function indexIn(scale: RatingRequest['scale'], options: RatingRequest['options'], reply: Reply): number {
  if (reply.type === 'choice') {
    const chosen = options.filter(({ id }) => reply.optionIds.includes(id))
    return chosen.length === 1 ? options.findIndex(({ id }) => id === chosen[0]?.id) : -1
  }
  if (reply.type !== 'text') return -1
  const typed = reply.text.trim()
  const named = scale === 'emoji' || scale === 'text'
  return options.findIndex(
    ({ label }, at) =>
      (typed !== '' && label.trim().toLowerCase() === typed.toLowerCase()) || (named && typed === String(at + 1)),
  )
}

/** A rating on another scale as one from 1, the worst, to 5, the best. */
export const outOfFive = ({ index, of }: Pick<GivenRating, 'index' | 'of'>): number =>
  of < 2 ? 5 : 1 + Math.round((4 * index) / (of - 1))
