import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ActionList, StoredAction } from '../../../server/contracts/actions'
import { useCan } from '../../api/account'
import { useActionChanges } from '../../api/actions'
import { failureText } from '../../api/failure'
import type { ChatbotPlace } from '../../api/sources'
import { Badge } from '../../ui/Badge'
import { Card } from '../../ui/Card'
import { IconButton } from '../../ui/IconButton'
import { notify } from '../../ui/notify'
import { Switch } from '../../ui/Switch'
import styles from './actions.module.css'
import { DeleteAction } from './DeleteAction'
import { kindIcons } from './kinds'

/** The actions in the order in which the model gets them. */
export function ActionRows({ place, list: { actions } }: { place: ChatbotPlace; list: ActionList }) {
  const { t } = useTranslation('actions')
  const { t: common } = useTranslation()
  const { order } = useActionChanges(place)
  const [removing, setRemoving] = useState<StoredAction | null>(null)
  const [moved, setMoved] = useState('')
  const gids = actions.map(({ gid }) => gid)
  const move = (at: number, by: -1 | 1) => {
    const to = gids.with(at, gids[at + by] ?? '').with(at + by, gids[at] ?? '')
    order.mutate(to, { onError: (error) => notify.error(failureText(error, common('errors.message'))) })
    setMoved(t('moved', { name: actions[at]?.action.name, place: at + by + 1 }))
  }
  return (
    <>
      <Card flush>
        <ul className={styles.rows} aria-label={t('title')}>
          {actions.map((stored, at) => (
            <Row
              key={stored.gid}
              place={place}
              stored={stored}
              onUp={at === 0 ? null : () => move(at, -1)}
              onDown={at === actions.length - 1 ? null : () => move(at, 1)}
              onRemove={() => setRemoving(stored)}
            />
          ))}
        </ul>
      </Card>
      <p role="status" className={styles.hidden}>
        {moved}
      </p>
      {removing && <DeleteAction place={place} stored={removing} onClose={() => setRemoving(null)} />}
    </>
  )
}

interface RowProps {
  place: ChatbotPlace
  stored: StoredAction
  /** null: it is the first */
  onUp: (() => void) | null
  onDown: (() => void) | null
  onRemove: () => void
}

function Row({ place, stored: { gid, action }, onUp, onDown, onRemove }: RowProps) {
  const { t } = useTranslation('actions')
  const { t: common } = useTranslation()
  const mayUpdate = useCan('actions.update')
  const mayDelete = useCan('actions.delete')
  const { enable } = useActionChanges(place)
  const { kind, name, description, frequency } = action
  const Icon = kindIcons[kind]
  const enabled = enable.isPending ? enable.variables.enabled : action.enabled
  const toggle = (on: boolean) =>
    enable.mutate(
      { gid, enabled: on },
      { onError: (error) => notify.error(failureText(error, common('errors.message'))) },
    )
  return (
    <li className={styles.row} data-off={!enabled || undefined}>
      <span className={styles.icon}>
        <Icon size={16} aria-hidden />
      </span>
      <div className={styles.words}>
        <Link className={styles.name} to={`/projects/${place.pgid}/chatbots/${place.cgid}/actions/${gid}`}>
          {name}
        </Link>
        <span className={styles.badges}>
          <Badge>{t(`kind.${kind}.name`)}</Badge>
          <Badge>{t(`frequency.${frequency}`)}</Badge>
        </span>
        <p className={styles.when}>{description}</p>
      </div>
      <div className={styles.controls}>
        <Switch
          checked={enabled}
          disabled={!mayUpdate}
          aria-label={t('enabled', { name })}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
        {mayUpdate && (
          <>
            <IconButton
              size="s"
              label={t('up', { name })}
              icon={<ArrowUp />}
              disabled={!onUp}
              onClick={onUp ?? undefined}
            />
            <IconButton
              size="s"
              label={t('down', { name })}
              icon={<ArrowDown />}
              disabled={!onDown}
              onClick={onDown ?? undefined}
            />
          </>
        )}
        {mayDelete && <IconButton size="s" label={t('delete.one', { name })} icon={<Trash2 />} onClick={onRemove} />}
      </div>
    </li>
  )
}
