"""What a box says when it does not take a bundle: one sentence of what is wrong, one of what to do."""

from __future__ import annotations

from appliance.core.errors import UpdateRefused

WORDS = {  # by what a refusal says to programs
    # what lies on the stick
    "no stick": "No stick with a bundle is plugged in, or none that a box reads (FAT32 or exFAT). Plug it "
    "in, or name it with: --stick FOLDER",
    "nothing": "There is nothing at {stick}. Plug the stick in, or name where it is mounted with: "
    "--stick FOLDER",
    "no bundle": "There is no bundle in {stick} ({others} other things lie there). Copy the whole folder "
    "CODES-UPDATE onto the stick, and try again.",
    "several": "Bundles lie on {sticks}. Leave one stick plugged in, or name it with: --stick FOLDER",
    "unreadable": "The stick cannot be read ({why}). Plug it in again; if that does not help, copy the "
    "bundle onto another stick.",
    "half": "The bundle on the stick is not complete: {name} is missing. Copy the whole folder CODES-"
    "UPDATE onto the stick again.",
    "damaged": "The bundle on the stick is damaged: {name} is not what was signed. Copy the whole folder"
    " CODES-UPDATE onto the stick again.",
    "base": "The bundle on the stick holds only what changed since another version than the one on "
    "this box ({name} is missing). Ask the builder for the whole bundle.",
    # who made it, for whom
    "foreign": "The bundle was not signed with the keys that this box trusts, or was changed since. "
    "Copy the whole folder CODES-UPDATE again from the builder of this box.",
    "other box": "The bundle was made for the box {wanted}; this one is {box}. Use the stick made for this"
    " box.",
    "expired": "The bundle says of itself that it is no longer to be used. Ask the builder for a new one.",
    "older": "The bundle is older than what this box has had already{versions}. Use the newest stick; "
    "to go back to the version before, use: appliance update rollback",
    "same": "The bundle on the stick, version {version}, is the one that this box serves. Nothing is "
    "to be done.",
    "twin": "The bundle on the stick is another one than the version {version} that this box has had, "
    "under the same number. Ask the builder for one with a higher number.",
    "failed": "Version {version} was tried on this box and did not work. Ask the builder for a newer "
    "version, or try it once more with: --again",
    # whether it can run here
    "too new": "The bundle needs a newer program (library schema {wanted}; this program reads {known}). "
    "Update the program of the box first.",
    "too old": "The bundle was made for an older program (library schema {wanted}; this program reads "
    "{known}). Ask the builder for a bundle made with the present program.",
    "strange": "The bundle holds {name}, which has no place on a box. Ask the builder for a new bundle.",
    "too large": "The bundle needs {need} MiB, more than the {most} MiB that a box takes. Ask the builder "
    "for a smaller one.",
    "no room": "The disk of the box has {free} MiB left and the update needs {need} MiB; nothing more "
    "can be removed from it. Ask the builder for a smaller bundle, or put a larger disk into the box.",
    "gives up": "The disk has room for version {version} only where version {before} is given up, to which "
    "the box can go back now. Nothing was removed. Agree to it with: appliance update apply (on its screen "
    "with u)",
    "disk": "The disk of the box could not be written ({why}). Free space on it or have it looked at,"
    " and try again.",
    # how it went
    "did not work": "Version {version} was tried and did not work ({why}). The box went back to what it "
    "served before; tell the builder.",
    "nothing before": "There is no earlier version on this box to go back to. Apply a stick with the "
    "version that is wanted.",
    "previous broken": "The version before is damaged ({name}), so the box stays with the present one. "
    "Apply a stick.",
    "previous revoked": "The version before was signed by keys that are no longer trusted, so the box "
    "stays with the present one. Apply a stick, or go back all the same with: appliance update rollback "
    "--revoked",
    "busy": "Another update is under way on this box. Wait until it has ended, and try again.",
    "declined": "Nothing was changed; version {version} stays prepared on the box.",
    "another": "What is prepared on the box is no longer what was agreed to. Read what changes, and agree "
    "again.",
    "another before": "The version before is no longer the one that was agreed to. Look which one it is, "
    "and agree again.",
    "dropped": "What was prepared on the box was removed ({why}). The box serves what it served before; "
    "apply the newest stick.",
    # notes of the site, to a stick
    "no target": "No stick that a box reads (FAT32 or exFAT) is plugged in. Plug it in, or name where it "
    "is mounted with: --stick FOLDER",
    "several targets": "Several sticks are plugged in: {sticks}. Leave one, or name it with: --stick FOLDER",
    "no writing": "The stick cannot be written ({why}). Use another one, or move the switch on it that "
    "forbids writing.",
    "no folder": "{name} on the stick is no folder of its own, so nothing was written. Remove it from the "
    "stick, or use another stick.",
    "no writer": "Nothing on this box answered that may write to a stick, so nothing was written. Look at "
    "the unit: systemctl status codes-notes.path",
}

MAKES_ROOM = (
    "There is no room for it beside what the box has: what waits is removed for it, and where that is not "
    "enough the version before; you are asked about that one first."
)


def refusal(code: str, **facts: object) -> UpdateRefused:
    """Return the refusal of this kind with its facts filled in."""
    return UpdateRefused(code, WORDS[code].format(**facts), facts)
