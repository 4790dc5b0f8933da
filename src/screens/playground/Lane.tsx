import { BookmarkPlus, MessageCircleQuestionMark, Wrench } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FixDialog } from '../../answers/FixDialog'
import { OverridesFields } from '../../answers/OverridesFields'
import { Thread } from '../../answers/Thread'
import type { Asking, Exchange, Overrides } from '../../answers/useAsking'
import { useCan } from '../../api/account'
import { Button } from '../../ui/Button'
import { KeepDialog } from './KeepDialog'
import styles from './playground.module.css'
import { Suggestions } from './Suggestions'

interface LaneProps {
  pgid: string
  cgid: string
  /** null: the only one */
  letter: 'a' | 'b' | null
  /** on a small screen the other one is shown */
  hidden: boolean
  asking: Asking
  settings: Overrides
  onSettings: (value: Overrides) => void
  /** asks here and in the other one */
  onAsk: (question: string) => void
}

/** A conversation with its own settings. */
export function Lane({ pgid, cgid, letter, hidden, asking, settings, onSettings, onAsk }: LaneProps) {
  const { t } = useTranslation('playground')
  const mayKeep = useCan('testing.use')
  // the question becomes an evaluation of the entry, possibly replacing an earlier one with the same words
  const [mayEnter, mayChange] = [useCan('knowledge_base.create'), useCan('instructions.update')]
  const mayTeach = mayEnter && mayChange
  const [open, setOpen] = useState<{ what: 'keep' | 'fix'; exchange: Exchange } | null>(null)
  const close = () => setOpen(null)
  const label = letter ? t(`lane.${letter}`) : t('conversation')
  return (
    <div className={styles.lane} data-hidden={hidden || undefined}>
      {letter && (
        <div className={styles.laneHead}>
          <span className={styles.letter}>{letter.toUpperCase()}</span>
          <OverridesFields pgid={pgid} cgid={cgid} value={settings} onChange={onSettings} />
        </div>
      )}
      <Thread
        label={label}
        exchanges={asking.exchanges}
        empty={<Suggestions pgid={pgid} cgid={cgid} icon={<MessageCircleQuestionMark />} onAsk={onAsk} />}
        onRetry={(id) => asking.retry(id, settings)}
        onChoose={(suggestion) => asking.choose(suggestion, settings)}
        actions={(exchange) => (
          <>
            {mayKeep && exchange.state === 'done' && (
              <Button
                size="s"
                design="ghost"
                icon={<BookmarkPlus />}
                onClick={() => setOpen({ what: 'keep', exchange })}
              >
                {t('keep.open')}
              </Button>
            )}
            {mayTeach && exchange.state === 'done' && (
              <Button size="s" design="ghost" icon={<Wrench />} onClick={() => setOpen({ what: 'fix', exchange })}>
                {t('fix.open')}
              </Button>
            )}
          </>
        )}
      />
      {open?.what === 'keep' && (
        <KeepDialog
          pgid={pgid}
          cgid={cgid}
          exchange={open.exchange}
          before={asking.exchanges.filter(({ id }) => id < open.exchange.id)}
          onClose={close}
        />
      )}
      {open?.what === 'fix' && (
        <FixDialog
          pgid={pgid}
          cgid={cgid}
          exchange={open.exchange}
          then={{ message: t('fix.then'), submit: t('fix.submit') }}
          onClose={close}
          onFixed={(question) => {
            close()
            onAsk(question)
          }}
        />
      )}
    </div>
  )
}
