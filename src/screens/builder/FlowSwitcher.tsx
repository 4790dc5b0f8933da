import { Check, ChevronDown, Copy, Flag, Pencil, Plus, Trash2, Workflow } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedFlow } from '../../../server/contracts/flows'
import { NAME_CAP } from '../../api/chatbots'
import { failureText, fieldOr } from '../../api/failure'
import { useFlowChanges } from '../../api/flows'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Menu, MenuEntry } from '../../ui/Menu'
import { NameDialog } from '../../ui/NameDialog'
import { notify } from '../../ui/notify'
import styles from './FlowSwitcher.module.css'

export interface FlowSwitcherProps {
  pgid: string
  cgid: string
  flows: readonly ListedFlow[]
  current: string
  readOnly: boolean
  /** opens another flow after this one's edits are stored */
  onOpen: (fid: string) => void
}

/** Shows which of the chatbot's flows is open; opens, creates, renames and deletes flows. */
export function FlowSwitcher(props: FlowSwitcherProps) {
  const { pgid, cgid, flows, current, readOnly, onOpen } = props
  const { t } = useTranslation('builder')
  const [dialog, setDialog] = useState<'create' | 'rename' | 'delete' | null>(null)
  const { create, rename, duplicate, remove } = useFlowChanges(pgid, cgid)
  const flow = flows.find(({ gid }) => gid === current)
  if (!flow || (readOnly && flows.length === 1)) return null
  const entering = flows.filter(({ gid, enters }) => gid !== current && enters.includes(current))
  const main = flows.find(({ is_main }) => is_main)
  const close = () => setDialog(null)
  const ask = (which: typeof dialog) => {
    for (const change of [create, rename, remove]) change.reset()
    setDialog(which)
  }
  const made = (added: ListedFlow) => {
    close()
    onOpen(added.gid)
  }
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <button type="button" className={styles.switcher} aria-label={t('flows.switch', { title: flow.title })}>
            <Workflow size={14} className={styles.icon} aria-hidden />
            <span className={styles.title}>{flow.title}</span>
            {flows.length > 1 && <span className={styles.count}>{flows.length}</span>}
            <ChevronDown size={14} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('flows.label')}</Menu.Label>
          <div className={styles.list}>
            {flows.map(({ gid, title, is_main }) => (
              <MenuEntry
                key={gid}
                aria-current={gid === current || undefined}
                leftSection={gid === current ? <Check size={15} /> : <span className={styles.noMark} />}
                rightSection={is_main && <MainMark label={t('flows.main')} />}
                onClick={() => gid !== current && onOpen(gid)}
              >
                <span className={styles.entry}>{title}</span>
              </MenuEntry>
            ))}
          </div>
          {!readOnly && (
            <>
              <Menu.Divider />
              <MenuEntry leftSection={<Plus size={15} />} onClick={() => ask('create')}>
                {t('flows.new')}
              </MenuEntry>
              <MenuEntry leftSection={<Pencil size={15} />} onClick={() => ask('rename')}>
                {t('flows.rename')}
              </MenuEntry>
              <MenuEntry
                leftSection={<Copy size={15} />}
                onClick={() =>
                  duplicate.mutate(current, {
                    onSuccess: made,
                    onError: (error) => notify.error(failureText(error, t('flows.failed'))),
                  })
                }
              >
                {t('flows.duplicate')}
              </MenuEntry>
              <MenuEntry
                danger
                leftSection={<Trash2 size={15} />}
                disabled={flow.is_main}
                onClick={() => ask('delete')}
              >
                {t(flow.is_main ? 'flows.mainStays' : 'flows.delete')}
              </MenuEntry>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <NameDialog
        opened={dialog === 'create'}
        title={t('flows.new')}
        label={t('flows.name')}
        placeholder={t('flows.placeholder')}
        submit={t('flows.create')}
        maxLength={NAME_CAP}
        loading={create.isPending}
        error={create.error ? fieldOr(create.error, 'title', t('flows.failed')) : undefined}
        onSubmit={(title) => create.mutate(title, { onSuccess: made })}
        onClose={close}
      />
      <NameDialog
        opened={dialog === 'rename'}
        title={t('flows.rename')}
        label={t('flows.name')}
        initial={flow.title}
        submit={t('flows.save')}
        maxLength={NAME_CAP}
        loading={rename.isPending}
        error={rename.error ? fieldOr(rename.error, 'title', t('flows.failed')) : undefined}
        onSubmit={(title) => rename.mutate({ fid: current, title }, { onSuccess: close })}
        onClose={close}
      />
      <ConfirmDialog
        opened={dialog === 'delete'}
        danger
        title={t('flows.delete')}
        message={
          entering.length > 0
            ? t('flows.deleteEntered', {
                count: entering.length,
                title: flow.title,
                names: entering.map(({ title }) => `“${title}”`).join(', '),
              })
            : t('flows.deleteQuestion', { title: flow.title })
        }
        confirm={t('flows.deleteConfirm')}
        loading={remove.isPending}
        error={remove.error ? failureText(remove.error, t('flows.failed')) : undefined}
        onConfirm={() => {
          const removed = remove.mutateAsync({ fid: current, confirmed: entering.length > 0 })
          // the deleted flow unmounts this dialog: what follows must not depend on it
          void removed.then(
            () => {
              close()
              if (main) onOpen(main.gid)
            },
            () => undefined,
          )
        }}
        onClose={close}
      />
    </>
  )
}

function MainMark({ label }: { label: string }) {
  return (
    <span className={styles.main} title={label}>
      <Flag size={13} aria-label={label} role="img" />
    </span>
  )
}
