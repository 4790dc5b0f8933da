import { type ReactNode, type SubmitEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FeedKind, feedCaps } from '../../../../server/contracts/feeds'
import type { Resync } from '../../../../server/contracts/sources'
import { GeneralProblem } from '../../../answers/GeneralProblem'
import { useAccount } from '../../../api/account'
import { fieldsOf } from '../../../api/failure'
import { type NewFeed, useFeedChanges } from '../../../api/feeds'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { notify } from '../../../ui/notify'
import { TextField } from '../../../ui/TextField'
import { type NewSourceProps, wholeWrong } from './form'
import styles from './new-source.module.css'
import { ResyncField } from './ResyncField'

/** What a form shows of its own fields. */
export interface FollowState {
  /** whether it was sent since the last change: then what is missing is said */
  tried: boolean
  /** what the server found wrong, by field */
  problems: Readonly<Record<string, string>>
  /** to be called at each change */
  changed: () => void
}

interface FollowFormProps extends NewSourceProps {
  kind: FeedKind
  /** how many pages are taken at first */
  most: number
  isDirty: boolean
  /** names of its own fields, at which the server's problems are shown */
  fields: readonly string[]
  /** what is to be followed, without what all kinds share; null: something is missing */
  order: NewFeed['order'] | null
  children: (state: FollowState) => ReactNode
}

/** The frame of forms by which a list is followed: how much is taken of it, and how often it is read. */
export function FollowForm({
  kind,
  place,
  most: usual,
  isDirty,
  fields,
  order,
  onUnsaved,
  onDone,
  children,
}: FollowFormProps) {
  const { t } = useTranslation('newSource')
  const [most, setMost] = useState(String(usual))
  const hasSync = useAccount().user.subscription.features.auto_sync === true
  const [resync, setResync] = useState<Resync>(hasSync ? 'daily' : 'never')
  const [tried, setTried] = useState(false)
  const { add } = useFeedChanges(place)
  useEffect(() => onUnsaved(isDirty), [isDirty, onUnsaved])
  const cap = feedCaps.entries[kind]
  const mostWrong = wholeWrong(most, 1, cap)
  const problems = fieldsOf(add.error)
  const changed = () => {
    setTried(false)
    add.reset()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (!order || mostWrong) return
    add.mutate(
      { order, most: Number(most), resync },
      {
        onSuccess: () => {
          notify.success(t('feed.added'))
          onUnsaved(false)
          onDone()
        },
      },
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Card
        footer={
          <Button type="submit" design="primary" loading={add.isPending}>
            {t('feed.add')}
          </Button>
        }
      >
        <div className={styles.fields}>
          <GeneralProblem error={add.error} fields={[...fields, 'most', 'resync']} />
          {children({ tried, problems, changed })}
          <div className={styles.pair}>
            <TextField
              label={t(`feed.${kind}.limit`)}
              description={t(`feed.${kind}.limitHint`, { max: cap })}
              inputMode="numeric"
              value={most}
              error={tried && mostWrong ? t('links.between', { min: 1, max: cap }) : problems.most}
              onChange={(event) => {
                changed()
                setMost(event.currentTarget.value)
              }}
            />
            <ResyncField
              value={resync}
              onChange={(chosen) => {
                changed()
                setResync(chosen)
              }}
            />
          </div>
        </div>
      </Card>
    </form>
  )
}
