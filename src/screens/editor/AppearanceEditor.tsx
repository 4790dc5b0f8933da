import {
  Bot,
  CodeXml,
  Eye,
  LayoutList,
  type LucideIcon,
  MessageCircle,
  MessageSquareText,
  MessagesSquare,
  Palette,
  PanelBottom,
  PenLine,
  Redo2,
  SquareRoundCorner,
  Type,
  Undo2,
} from 'lucide-react'
import { type ComponentType, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Look } from '../../../server/contracts/web/look'
import { useAccount, useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { IconButton } from '../../ui/IconButton'
import { LeaveGuard } from '../../ui/LeaveGuard'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { PageTitle } from '../../ui/PageTitle'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { Segmented } from '../../ui/Segmented'
import css from './editor.module.css'
import { Group } from './Group'
import type { GroupProps } from './groupProps'
import { BrandGroup } from './groups/BrandGroup'
import { ColoursGroup } from './groups/ColoursGroup'
import { LauncherGroup } from './groups/LauncherGroup'
import { AdvancedGroup, PartsGroup, ShapeGroup } from './groups/ShapeGroup'
import { FooterGroup, MessagesGroup, QueriesGroup, TextsGroup } from './groups/TextsGroup'
import { LookPreview } from './LookPreview'
import { type GroupName, groupNames, groupOf } from './lookChanges'
import { PublishDialog } from './PublishDialog'
import { type LookDraft, type SavedLook, useLookDraft } from './useLookDraft'

const icons: Record<GroupName, LucideIcon> = {
  brand: Bot,
  colours: Palette,
  launcher: MessageCircle,
  texts: Type,
  messages: MessagesSquare,
  queries: MessageSquareText,
  shape: SquareRoundCorner,
  parts: LayoutList,
  footer: PanelBottom,
  advanced: CodeXml,
}
const fields: Record<Exclude<GroupName, 'colours'>, ComponentType<GroupProps>> = {
  brand: BrandGroup,
  launcher: LauncherGroup,
  texts: TextsGroup,
  messages: MessagesGroup,
  queries: QueriesGroup,
  shape: ShapeGroup,
  parts: PartsGroup,
  footer: FooterGroup,
  advanced: AdvancedGroup,
}

/** As visitors see it on a plan with branding. */
const withBranding = (look: Look): Look => ({ ...look, parts: { ...look.parts, branding: true } })

/** `beside`: with a preview beside the groups; `form`: the groups alone, all open */
export type Layout = 'beside' | 'form'

interface AppearanceEditorProps {
  pgid: string
  cgid: string
  saved: SavedLook
  layout: Layout
}

export function AppearanceEditor({ pgid, cgid, saved, layout }: AppearanceEditorProps) {
  const { t } = useTranslation('appearance')
  const { t: common } = useTranslation()
  const draft = useLookDraft(pgid, cgid, saved)
  const readOnly = !useCan('appearance.update')
  const { chatbots, subscription } = useAccount().user
  const branded = subscription.features.no_branding !== true
  const shown = useMemo(() => (branded ? withBranding(draft.look) : draft.look), [branded, draft.look])
  const name = chatbots.find(({ gid }) => gid === cgid)?.name ?? ''
  const [scheme, setScheme] = useState<'light' | 'dark'>(saved.draft.colours.scheme === 'dark' ? 'dark' : 'light')
  const [side, setSide] = useState<'edit' | 'preview'>('edit')
  const [asking, ask] = useState<'publish' | 'discard' | null>(null)
  useUndoKeys(draft, readOnly)
  const wrong = new Set(Object.keys(draft.errors).map(groupOf))
  const given = { draft, readOnly, pgid, cgid }
  return (
    <div className={css.screen}>
      <PageTitle>{t('title')}</PageTitle>
      <header className={css.header}>
        <h1 className={css.title}>{t('title')}</h1>
        <span role="status" className={css.state}>
          <State draft={draft} />
        </span>
        <span className={css.space} />
        {layout === 'form' && (
          <Link className={css.toEditor} to={`/projects/${pgid}/chatbots/${cgid}/editor`}>
            {t('withPreview')}
          </Link>
        )}
        {!readOnly && (
          <>
            <IconButton label={t('undo')} icon={<Undo2 size={16} />} disabled={!draft.canUndo} onClick={draft.undo} />
            <IconButton label={t('redo')} icon={<Redo2 size={16} />} disabled={!draft.canRedo} onClick={draft.redo} />
            <Button size="s" className={css.discard} disabled={!draft.isAhead} onClick={() => ask('discard')}>
              {t('discard.open')}
            </Button>
            <Button
              size="s"
              design="primary"
              disabled={!draft.isAhead || draft.state === 'invalid' || draft.conflict}
              onClick={() => ask('publish')}
            >
              {t('publish.open')}
            </Button>
          </>
        )}
      </header>
      {layout === 'beside' && (
        <Segmented
          className={css.switch}
          label={t('sides.label')}
          value={side}
          options={[
            {
              value: 'edit',
              label: (
                <>
                  <PenLine size={14} /> {t('sides.edit')}
                </>
              ),
            },
            {
              value: 'preview',
              label: (
                <>
                  <Eye size={14} /> {t('sides.preview')}
                </>
              ),
            },
          ]}
          onChange={setSide}
        />
      )}
      <div className={layout === 'form' ? css.form : css.sides} data-shown={side}>
        <section className={css.sidebar} aria-label={t('sides.edit')}>
          {readOnly && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
          {draft.error !== null && (
            <p role="alert" className={css.notice}>
              <span>{failureText(draft.error, common('errors.message'))}</span>
              <Button size="s" onClick={draft.retry}>
                {common('actions.retry')}
              </Button>
            </p>
          )}
          {groupNames.map((group) => {
            const Icon = icons[group]
            const Fields = group === 'colours' ? null : fields[group]
            return (
              <Group
                key={group}
                icon={<Icon size={16} />}
                title={t(`groups.${group}`)}
                about={t(`about.${group}`)}
                open={layout === 'form' || group === 'brand' || group === 'colours'}
                wrong={wrong.has(group) ? t('wrong') : null}
              >
                {Fields ? <Fields {...given} /> : <ColoursGroup {...given} scheme={scheme} onScheme={setScheme} />}
              </Group>
            )
          })}
        </section>
        {layout === 'beside' && <LookPreview look={shown} name={name} scheme={scheme} onScheme={setScheme} />}
      </div>
      {asking === 'publish' && <PublishDialog draft={draft} onClose={() => ask(null)} />}
      <ConfirmDialog
        opened={asking === 'discard'}
        title={t('discard.title')}
        message={t('discard.message')}
        confirm={t('discard.confirm')}
        onConfirm={() => {
          draft.discard()
          ask(null)
        }}
        onClose={() => ask(null)}
      />
      {draft.conflict && <Conflict draft={draft} />}
      <LeaveGuard
        isUnsaved={() => !readOnly && (draft.state === 'invalid' || draft.error !== null || draft.conflict)}
        title={t('leave.title')}
        message={t('leave.message')}
        confirm={t('leave.confirm')}
      />
    </div>
  )
}

function State({ draft: { state, isAhead, saved, error } }: { draft: LookDraft }) {
  const { t } = useTranslation('appearance')
  if (state === 'invalid')
    return (
      <Badge dot tone="danger">
        {t('state.invalid')}
      </Badge>
    )
  if (error !== null)
    return (
      <Badge dot tone="danger">
        {t('state.failed')}
      </Badge>
    )
  if (state !== 'saved') return <Badge dot>{t('state.saving')}</Badge>
  if (isAhead)
    return (
      <Badge dot tone="warning">
        {t('state.ahead')}
      </Badge>
    )
  return (
    <Badge dot tone="success">
      {t(saved.published ? 'state.published' : 'state.untouched')}
    </Badge>
  )
}

/** Somebody else has saved meanwhile: whose look it shall be. Neither is lost: theirs is undone, or mine. */
function Conflict({ draft }: { draft: LookDraft }) {
  const { t } = useTranslation('appearance')
  return (
    <Modal opened onClose={() => undefined} title={t('conflict.title')} withCloseButton={false}>
      <ModalText>{t('conflict.message')}</ModalText>
      <ModalActions>
        <Button onClick={draft.keepMine}>{t('conflict.mine')}</Button>
        <Button design="primary" onClick={draft.takeTheirs}>
          {t('conflict.theirs')}
        </Button>
      </ModalActions>
    </Modal>
  )
}

/** Ctrl-Z and its like, wherever the focus is: fields show what the draft has. */
function useUndoKeys(draft: LookDraft, readOnly: boolean): void {
  const latest = useRef(draft)
  latest.current = draft
  useEffect(() => {
    if (readOnly) return
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return
      const key = event.key.toLowerCase()
      const isRedo = (key === 'z' && event.shiftKey) || key === 'y'
      if (key !== 'z' && !isRedo) return
      event.preventDefault()
      if (isRedo) latest.current.redo()
      else latest.current.undo()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [readOnly])
}
