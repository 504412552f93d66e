"""The diagram of notebook 05: how two layers look round the corner of a mask that is too small."""

from helpers.display.svg import INK, LINE, MUTED, THICK, Drawing

COLUMNS = (190, 310, 430, 550)
ROWS = (292, 196, 100)  # the numbers, what the lower layer makes of them, and the upper one
AMBER = "#b56a00"


def round_the_corner(drawing: Drawing) -> None:
    """Draw how place 2, which must say number 3, learns it from place 4."""
    drawing.heading("Round the corner", "place 2 must say number 3, so it may not look at place 3; "
                    "place 4 may: for place 4 that is the past")
    for name, down in zip(("numbers", "after layer 1", "after layer 2"), ROWS, strict=True):
        drawing.label((28, down), name, anchor="start", colour=MUTED)
    for row, down in enumerate(ROWS):
        for place, across in enumerate(COLUMNS, 1):
            lit = (row, place) in {(0, 3), (1, 4), (2, 2)}
            text = f"place {place}" if row else f"number {place}"
            drawing.box((across - 44, down - 16, 88, 32), text, lit=lit)
    for below, above in zip(ROWS, ROWS[1:], strict=False):
        for across in COLUMNS:
            drawing.arrow((across, below - 16), (across, above + 17), colour=LINE)
    drawing.arrow((COLUMNS[2] + 20, ROWS[0] - 16), (COLUMNS[3] - 24, ROWS[1] + 19), colour=AMBER,
                  width=THICK)
    drawing.arrow((COLUMNS[3] - 24, ROWS[1] - 16), (COLUMNS[1] + 24, ROWS[2] + 19), colour=AMBER,
                  width=THICK)
    drawing.arrow((COLUMNS[2] - 20, ROWS[0] - 16), (COLUMNS[1] + 24, ROWS[1] + 19), colour=MUTED,
                  dashed=True)
    middle = (COLUMNS[1] + COLUMNS[2]) / 2 + 2, (ROWS[0] + ROWS[1]) / 2 + 1
    for slope in (1, -1):
        drawing.path(f"M {middle[0] - 7} {middle[1] - 7 * slope} L {middle[0] + 7} "
                     f"{middle[1] + 7 * slope}", INK, THICK)
    for place, across in enumerate(COLUMNS, 1):
        drawing.label((across, 72), f"says number {place + 1}", colour=MUTED)
    drawing.label((612, (ROWS[0] + ROWS[1]) / 2), "its past", anchor="start")
    drawing.label((612, (ROWS[1] + ROWS[2]) / 2), "not covered", anchor="start")
