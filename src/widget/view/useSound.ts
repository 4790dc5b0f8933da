import { useEffect, useRef } from 'preact/hooks'
import type { ChatState } from '../conversation'

const SECONDS = 0.18
const VOLUME = 0.06

/**
 * One short tone for messages of the bot's that come together while the chat is open; none before the visitor has
 * touched the page, and none for who wants effects reduced.
 */
export function useSound(on: boolean, { messages, liveAfter, phase }: ChatState): void {
  const last = messages.findLast(({ author }) => author === 1)?.seq ?? 0
  const known = useRef<number | null>(null)
  useEffect(() => {
    if (phase !== 'ready') return
    const isNew = known.current !== null && last > known.current && last > liveAfter
    known.current = last
    if (on && isNew && navigator.userActivation?.hasBeenActive && !isReduced()) play()
  }, [on, last, liveAfter, phase])
}

const isReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches

function play(): void {
  const context = new AudioContext()
  const [tone, volume] = [context.createOscillator(), context.createGain()]
  const { currentTime: now } = context
  tone.frequency.setValueAtTime(660, now)
  tone.frequency.setValueAtTime(880, now + SECONDS / 2)
  volume.gain.setValueAtTime(VOLUME, now)
  volume.gain.exponentialRampToValueAtTime(0.0001, now + SECONDS)
  tone.connect(volume).connect(context.destination)
  tone.start(now)
  tone.stop(now + SECONDS)
  tone.addEventListener('ended', () => void context.close())
}
