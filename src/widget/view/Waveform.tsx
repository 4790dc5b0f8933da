/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChatTexts } from '../texts'
import css from './media.module.css'
import { readWaveform } from './waveform'

const BARS = 44

/**
 * A recording with its waveform, a play button, and a slider over the bars. The waveform is computed once it is
 * visible.
 */
export function Waveform(props: { url: string; caption: string; texts: ChatTexts; onBroken: () => void }) {
  const { url, caption, texts, onBroken } = props
  const player = useRef<HTMLAudioElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [peaks, setPeaks] = useState<readonly number[] | null>(null)
  const [playing, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState(0)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const abort = new AbortController()
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      void readWaveform(url, BARS, abort.signal).then((found) => !abort.signal.aborted && setPeaks(found))
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      abort.abort()
    }
  }, [url])
  const share = length > 0 ? at / length : 0
  return (
    <div ref={box} class={css.wave}>
      {/* biome-ignore lint/a11y/useMediaCaption: what an editor links to comes as it is */}
      <audio
        ref={player}
        src={url}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onDurationChange={({ currentTarget: { duration } }) => setLength(Number.isFinite(duration) ? duration : 0)}
        onError={onBroken}
      />
      <button
        type="button"
        class={css.play}
        aria-label={playing ? texts.pause : texts.play}
        onClick={() => {
          if (playing) player.current?.pause()
          else void player.current?.play().catch(() => undefined)
        }}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="currentColor">
          {playing ? <path d="M4.5 3h2.4v10H4.5zm4.6 0h2.4v10H9.1z" /> : <path d="M5 2.8v10.4L13 8z" />}
        </svg>
      </button>
      <span class={css.shape}>
        <svg viewBox={`0 0 ${BARS * 4} 32`} preserveAspectRatio="none" aria-hidden="true">
          {Array.from({ length: BARS }, (_, bar) => {
            const height = 3 + 27 * (peaks?.[bar] ?? 0)
            return (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
                key={bar}
                x={bar * 4}
                y={16 - height / 2}
                width="2.6"
                height={height}
                rx="1.3"
                data-played={bar / BARS < share || undefined}
              />
            )
          })}
        </svg>
        <input
          type="range"
          min={0}
          max={Math.max(length, 0.1)}
          step={0.1}
          value={at}
          aria-label={caption || texts.audio}
          aria-valuetext={`${clock(at)} / ${clock(length)}`}
          onInput={({ currentTarget }) => {
            if (player.current) player.current.currentTime = currentTarget.valueAsNumber
          }}
        />
      </span>
      <span class={css.clock}>{clock(playing || at > 0 ? at : length)}</span>
    </div>
  )
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
