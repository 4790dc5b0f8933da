/** Of the launcher: its offsets keep clear of a phone's edges. */
export const launcherStyles = `
:host{font:600 15px/1.4 system-ui,sans-serif}
.root *{box-sizing:border-box}
button{font:inherit;border:0;cursor:pointer;color:inherit;background:none;padding:0}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
.launcher,.teaser{position:fixed;right:calc(var(--x) + env(safe-area-inset-right));bottom:calc(var(--y) + env(safe-area-inset-bottom))}
.left>*{right:auto;left:calc(var(--x) + env(safe-area-inset-left))}
.launcher{min-width:var(--size);height:var(--size);display:flex;align-items:center;justify-content:center;gap:10px;border-radius:99px;background:var(--accent);color:var(--on);box-shadow:0 1px 3px #0003,0 8px 24px #0003;transition:transform .16s}
.launcher:hover{transform:translateY(-1px)}
.worded{padding:0 22px 0 18px}
img{width:var(--size);height:var(--size);border-radius:50%;object-fit:cover}
svg{width:26px;fill:none;stroke:currentColor;stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round}
.worded :is(svg,img){width:24px;height:24px}
b{position:absolute;top:-3px;inset-inline-end:-3px;min-width:20px;padding:0 6px;border-radius:99px;background:#d92d20;color:#fff;font-size:12px;line-height:20px}
.popup>.launcher,.popup>.teaser,[hidden],.hidden{display:none!important}
@media (max-width:639px){.desk>.launcher,.desk>.teaser{display:none}}
@media (prefers-reduced-motion){*{animation:none!important;transition:none!important}}
@media print{.root{display:none}}`
