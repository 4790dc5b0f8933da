import type { Look } from '../../../server/contracts/web/look'

type Colours = Look['colours']['light']
/** Colours and shape that go together. */
export interface Theme {
  id: string
  name: string
  light: Colours
  dark: Colours
  shape: Look['shape']
}

const colours = (accent: string, background: string, text: string, bot: string, visitor = accent): Colours => ({
  accent,
  background,
  text,
  bot,
  visitor,
})
const shape = (font: Look['shape']['font'], radius: number, density: Look['shape']['density'] = 'comfortable') => ({
  font,
  radius,
  density,
})

/** The gallery. Names are proper names: they stay as they are in every language. */
export const themes: readonly Theme[] = [
  {
    id: 'parley',
    name: 'Parley',
    light: colours('#0f766e', '#ffffff', '#1b1c1a', '#f2f2ef'),
    dark: colours('#2bb5a6', '#161716', '#ececea', '#232523'),
    shape: shape('inter', 16),
  },
  {
    id: 'ink',
    name: 'Ink',
    light: colours('#18181b', '#ffffff', '#18181b', '#f4f4f5'),
    dark: colours('#fafafa', '#0a0a0b', '#f4f4f5', '#1c1c1f'),
    shape: shape('inter', 10),
  },
  {
    id: 'harbour',
    name: 'Harbour',
    light: colours('#1d4ed8', '#ffffff', '#172033', '#eef2fb'),
    dark: colours('#6ea0ff', '#0e1422', '#e6ebf5', '#1a2335'),
    shape: shape('inter', 18),
  },
  {
    id: 'iris',
    name: 'Iris',
    light: colours('#6d28d9', '#ffffff', '#211a2e', '#f4f0fb'),
    dark: colours('#b18cff', '#15111d', '#ece7f5', '#241d31'),
    shape: shape('inter', 22),
  },
  {
    id: 'coral',
    name: 'Coral',
    light: colours('#c8402a', '#fffdfb', '#2b1d18', '#faf0ea'),
    dark: colours('#ff8a70', '#1a1311', '#f5e9e4', '#2a1f1b'),
    shape: shape('rounded', 20),
  },
  {
    id: 'meadow',
    name: 'Meadow',
    light: colours('#2f7a34', '#fdfefb', '#1c2419', '#eff5ea'),
    dark: colours('#7fce7c', '#11160f', '#e8efe4', '#1e261b'),
    shape: shape('system', 16),
  },
  {
    id: 'honey',
    name: 'Honey',
    light: colours('#945d00', '#fffdf7', '#2a2213', '#faf3e0'),
    dark: colours('#f2bd4d', '#17130b', '#f3ecdc', '#282215'),
    shape: shape('rounded', 18),
  },
  {
    id: 'rose',
    name: 'Rose',
    light: colours('#be185d', '#fffcfd', '#2b1821', '#fbeef3'),
    dark: colours('#ff85b3', '#1a1015', '#f5e6ed', '#2b1b23'),
    shape: shape('inter', 24),
  },
  {
    id: 'slate',
    name: 'Slate',
    light: colours('#334155', '#f8fafc', '#1e293b', '#e9eef4'),
    dark: colours('#a5b4c8', '#111820', '#e5eaf0', '#1e2833'),
    shape: shape('system', 8, 'compact'),
  },
  {
    id: 'terminal',
    name: 'Terminal',
    light: colours('#14632b', '#f6f8f5', '#17211a', '#e6ece5'),
    dark: colours('#4ade80', '#0b0f0c', '#d7e5da', '#161d18'),
    shape: shape('mono', 4, 'compact'),
  },
  {
    id: 'library',
    name: 'Library',
    light: colours('#7c2d12', '#fbf8f1', '#2a211a', '#f1eadc'),
    dark: colours('#e3a07c', '#17130f', '#ede4d6', '#262019'),
    shape: shape('serif', 10),
  },
  {
    id: 'signal',
    name: 'Signal',
    light: colours('#0b6bcb', '#ffffff', '#10151a', '#eef1f4', '#10151a'),
    dark: colours('#4aa8ff', '#000000', '#f2f5f7', '#17191c', '#0b6bcb'),
    shape: shape('system', 28),
  },
]

/** @returns the look in a theme, whatever else it says */
export const withTheme = (look: Look, theme: Theme): Look => ({
  ...look,
  theme: theme.id,
  colours: { ...look.colours, light: theme.light, dark: theme.dark },
  shape: theme.shape,
})
