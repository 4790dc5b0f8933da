import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlaygroundDebug } from '../../server/contracts/playground'
import { headlineOf } from '../testEffects/words'
import { Button } from '../ui/Button'
import { IconButton } from '../ui/IconButton'
import type { Debugger } from './debugger'
import css from './inspector.module.css'
import type { PreviewPaneProps } from './previewPaneProps'
import { StepCard } from './StepCard'

/** The most steps rendered at once. */
const SHOWN = 200

type StepsProps = Pick<PreviewPaneProps, 'describe' | 'onShow'> & { bug: Debugger; debug: PlaygroundDebug | null }

/** All steps since the start; an opened one shows its input and what it did. */
export function Steps({ bug, debug, describe, onShow }: StepsProps) {
  const { t } = useTranslation('preview')
  const { t: effects } = useTranslation('testEffects')
  const [shown, setShown] = useState(SHOWN)
  const [opened, setOpened] = useState<string | null>(null)
  const path = debug?.path ?? []
  if (path.length === 0) return <p className={css.empty}>{t('noPath')}</p>
  const hidden = Math.max(0, path.length - shown)
  const firsts = new Map<number, number>()
  for (const [index, { turn }] of path.entries()) if (!firsts.has(turn)) firsts.set(turn, index)
  return (
    <>
      {hidden > 0 && (
        <Button size="s" wide onClick={() => setShown(shown + SHOWN)}>
          {t('earlier', { count: hidden })}
        </Button>
      )}
      <ol className={css.path} start={hidden + 1}>
        {path.slice(hidden).map((step, offset) => {
          const index = hidden + offset
          const known = describe(step)
          const last = index === path.length - 1
          const title = known?.title ?? t('gone')
          const number = index - (firsts.get(step.turn) ?? 0)
          const key = `${bug.store.getState().conversation} ${step.turn} ${number}`
          const written = Object.keys(step.writes).map((id) => t('wrote', { name: debug?.names[id] ?? id }))
          const notes = [
            ...(known?.exit ? [t('leftBy', { port: known.exit })] : []),
            ...(last && debug?.active ? [t('waiting')] : []),
            ...written,
            ...(step.note ? [step.note] : []),
            ...(debug?.effects ?? []).flatMap(({ turn, step: at, effect }) =>
              turn === step.turn && at === number ? [headlineOf(effect, effects)] : [],
            ),
          ]
          return (
            <li key={index} data-starts={step.turn !== path[index - 1]?.turn || undefined}>
              <div className={css.stepRow}>
                <button
                  type="button"
                  className={css.step}
                  disabled={!known}
                  onClick={() => onShow(step)}
                  aria-label={t('step', { title, group: known?.group ?? '' })}
                >
                  <span className={css.stepTitle}>{title}</span>
                  <span className={css.stepGroup}>{known?.group}</span>
                  {notes.length > 0 && <span className={css.stepNotes}>{notes.join(' · ')}</span>}
                </button>
                {step.blockId !== '' && (
                  <IconButton
                    size="s"
                    tooltip={false}
                    className={css.more}
                    label={t('card.open', { title })}
                    icon={<ChevronRight size={14} />}
                    aria-expanded={opened === key}
                    onClick={() => setOpened(opened === key ? null : key)}
                  />
                )}
              </div>
              {opened === key && (
                <StepCard bug={bug} step={step} number={number} names={debug?.names ?? {}} exit={known?.exit ?? null} />
              )}
            </li>
          )
        })}
      </ol>
    </>
  )
}
