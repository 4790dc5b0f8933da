import { Check, Ellipsis, Eye, GitCompareArrows, Pencil, Rocket, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Version, versionCaps } from '../../../../server/contracts/versions'
import { failureText } from '../../../api/failure'
import { useVersionChanges } from '../../../api/versions'
import { useEditor } from '../../../canvas/context'
import { formatMoment, formatSince } from '../../../i18n/format'
import { Badge } from '../../../ui/Badge'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { IconButton } from '../../../ui/IconButton'
import { Menu, MenuEntry } from '../../../ui/Menu'
import { notify } from '../../../ui/notify'
import { TextField } from '../../../ui/TextField'
import { useBuilder } from '../builderContext'
import styles from './VersionsPanel.module.css'

interface VersionRowProps {
  version: Version
  isPublished: boolean
  /** the previous version's number */
  previous: number | null
}

/** A version: its name, author and date, its notes, and actions. */
export function VersionRow({ version, isPublished, previous }: VersionRowProps) {
  const { number, name, notes, at, by, kept } = version
  const { t } = useTranslation('versions')
  const { document, readOnly } = useEditor()
  const { pgid, chatbot, fid, compare, whenSaved } = useBuilder()
  const { rename, restore, publish } = useVersionChanges(pgid, chatbot.gid)
  const [naming, setNaming] = useState(false)
  const [asking, setAsking] = useState<'restore' | 'publish' | null>(null)
  const called = t('version', { number })
  const ask = (what: typeof asking) => {
    restore.reset()
    publish.reset()
    setAsking(what)
  }
  const save = (next: string) => {
    setNaming(false)
    if (next.trim() === (name ?? '')) return
    rename.mutate(
      { version: number, name: next.trim() },
      { onError: (error) => notify.error(failureText(error, t('failed'))) },
    )
  }
  const bringBack = async () => {
    await whenSaved()
    const { kept, flow } = await restore.mutateAsync({ version: number, open: fid })
    // in the user's own document: one undo step
    if (flow) document.commands.replaceFlow(flow)
    setAsking(null)
    notify.success(kept ? t('restored', { number, kept: kept.number }) : t('restoredPlain', { number }))
  }
  return (
    <li className={styles.version} aria-label={called}>
      <div className={styles.line}>
        <strong>{called}</strong>
        {isPublished && <Badge tone="success">{t('published')}</Badge>}
        {kept && <Badge>{t('kept')}</Badge>}
        <span className={styles.space} />
        <IconButton
          size="s"
          label={t('lookAt', { number })}
          icon={<Eye size={15} />}
          onClick={() => compare({ before: null, after: number })}
        />
        <Menu position="bottom-end">
          <Menu.Target>
            <IconButton size="s" label={t('moreOf', { number })} icon={<Ellipsis size={15} />} tooltip={false} />
          </Menu.Target>
          <Menu.Dropdown>
            <MenuEntry
              leftSection={<GitCompareArrows size={14} />}
              onClick={() => compare({ before: number, after: 'draft' })}
            >
              {t('compareDraft')}
            </MenuEntry>
            {previous !== null && (
              <MenuEntry
                leftSection={<GitCompareArrows size={14} />}
                onClick={() => compare({ before: previous, after: number })}
              >
                {t('comparePrevious', { number: previous })}
              </MenuEntry>
            )}
            {!readOnly && (
              <>
                <MenuEntry leftSection={<Pencil size={14} />} onClick={() => setNaming(true)}>
                  {t('rename')}
                </MenuEntry>
                <MenuEntry leftSection={<RotateCcw size={14} />} onClick={() => ask('restore')}>
                  {t('restore')}
                </MenuEntry>
                {!isPublished && (
                  <MenuEntry leftSection={<Rocket size={14} />} onClick={() => ask('publish')}>
                    {t(kept ? 'publishKept' : 'publishAgain')}
                  </MenuEntry>
                )}
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
      {naming ? (
        <NameField
          initial={name ?? ''}
          label={t('nameOf', { number })}
          onSave={save}
          onCancel={() => setNaming(false)}
        />
      ) : (
        name && <p className={styles.name}>{name}</p>
      )}
      {notes && <p className={styles.notes}>{notes}</p>}
      <p className={styles.meta} title={formatMoment(at)}>
        {t('made', { since: formatSince(at), at: formatMoment(at), by: by || t('somebody') })}
      </p>
      <ConfirmDialog
        opened={asking === 'restore'}
        title={t('restoreTitle', { number })}
        message={t('restoreQuestion', { number })}
        confirm={t('restoreConfirm')}
        loading={restore.isPending}
        error={restore.error ? failureText(restore.error, t('failed')) : undefined}
        onConfirm={() => void bringBack().catch(() => undefined)}
        onClose={() => setAsking(null)}
      />
      <ConfirmDialog
        opened={asking === 'publish'}
        title={t('publishTitle', { number })}
        message={t('publishQuestion', { number })}
        confirm={t('publishConfirm')}
        loading={publish.isPending}
        error={publish.error ? failureText(publish.error, t('failed')) : undefined}
        onConfirm={() =>
          publish.mutate(number, {
            onSuccess: () => {
              setAsking(null)
              notify.success(t('publicAgain', { number }))
            },
          })
        }
        onClose={() => setAsking(null)}
      />
    </li>
  )
}

function NameField(props: { initial: string; label: string; onSave: (name: string) => void; onCancel: () => void }) {
  const { initial, label, onSave, onCancel } = props
  const { t } = useTranslation('versions')
  const [value, setValue] = useState(initial)
  return (
    <form
      className={styles.naming}
      onSubmit={(event) => {
        event.preventDefault()
        if (value.trim().length <= versionCaps.name) onSave(value)
      }}
    >
      <TextField
        size="xs"
        autoFocus
        aria-label={label}
        maxLength={versionCaps.name}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onCancel()
        }}
      />
      <IconButton size="s" type="submit" label={t('saveName')} icon={<Check size={15} />} />
    </form>
  )
}
