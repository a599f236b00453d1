"""The values of the appliance as the JSON that outside programs rely on: each shape is declared once."""
